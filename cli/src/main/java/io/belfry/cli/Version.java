package io.belfry.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Version of the program and of its Java runtime. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    var built = new Properties();
    try (InputStream in =
        Objects.requireNonNull(Version.class.getResourceAsStream("/belfry.properties"))) {
      built.load(in);
    }
    return new String[] {
      "belfry " + built.getProperty("version"),
      "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
    };
  }
}
