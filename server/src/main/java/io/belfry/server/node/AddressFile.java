package io.belfry.server.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the command line finds the server of this machine: one line in the data directory, while the server runs.
 *
 * <p>Threading: stateless.
 */
public final class AddressFile {
  private static final String FILE = "server.url";

  private AddressFile() {}

  public static void write(Path data, String url) {
    Keys.write(data.resolve(FILE), url);
  }

  /** Takes it away, unless it is another server's by now. */
  public static void remove(Path data, String url) {
    Path file = data.resolve(FILE);
    try {
      if (Files.exists(file) && Files.readString(file).strip().equals(url)) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The file " + file + " could not be removed.", e);
    }
  }
}
