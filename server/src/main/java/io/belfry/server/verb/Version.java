package io.belfry.server.verb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The version that this program was built as. Threading: stateless. */
final class Version {
  private Version() {}

  static String text() {
    var built = new Properties();
    try (@Nullable
        InputStream in = Version.class.getResourceAsStream("/io/belfry/server/built.properties")) {
      if (in == null) {
        throw new IllegalStateException("the build writes its version beside the classes");
      }
      built.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return built.getProperty("version", "unknown");
  }
}
