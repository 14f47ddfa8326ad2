package io.belfry.server.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the URL of the running server to a file in the data directory, where the CLI finds it.
 *
 * <p>Threading: stateless.
 */
public final class AddressFile {
  private static final String FILE = "server.url";

  private AddressFile() {}

  public static void write(Path data, String url) {
    KeyFiles.write(data.resolve(FILE), url);
  }

  /** Removes the file, unless another server has replaced it. */
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
