package io.belfry.server.verb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The version of this program. Threading: stateless. */
final class Version {
  private Version() {}

  static String text() {
    var built = new Properties();
    try (@Nullable
        InputStream in = Version.class.getResourceAsStream("/io/belfry/server/built.properties")) {
      if (in == null) {
        throw new IllegalStateException("built.properties must be on the class path");
      }
      built.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return built.getProperty("version", "unknown");
  }
}
