package io.belfry.executors.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version of this build. Threading: immutable. */
final class BuildInfo {
  static final String USER_AGENT = "belfry/" + version();

  private BuildInfo() {}

  private static String version() {
    try (InputStream in =
        Objects.requireNonNull(BuildInfo.class.getResourceAsStream("built.properties"))) {
      var properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException("built.properties could not be read.", e);
    }
  }
}
