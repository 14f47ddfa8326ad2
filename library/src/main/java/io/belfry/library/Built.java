package io.belfry.library;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version that this library was built as. Threading: stateless. */
final class Built {
  private Built() {}

  static String version() {
    var built = new Properties();
    try (InputStream in =
        Objects.requireNonNull(Built.class.getResourceAsStream("built.properties"))) {
      built.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("a resource of this library could not be read", e);
    }
    return built.getProperty("version");
  }
}
