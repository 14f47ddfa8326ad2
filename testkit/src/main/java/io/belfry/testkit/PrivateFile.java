package io.belfry.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Files with keys and tokens for tests, with the mode that a server demands of them. Threading: stateless. */
public final class PrivateFile {
  private PrivateFile() {}

  /** Writes a file of mode 0600; one that is there is replaced. */
  public static Path write(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, text, StandardOpenOption.WRITE);
  }
}
