package io.belfry.library;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version of this library. Threading: stateless. */
final class BuildInfo {
  private BuildInfo() {}

  static String version() {
    var built = new Properties();
    try (InputStream in =
        Objects.requireNonNull(BuildInfo.class.getResourceAsStream("built.properties"))) {
      built.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("a resource of this library could not be read", e);
    }
    return built.getProperty("version");
  }
}
