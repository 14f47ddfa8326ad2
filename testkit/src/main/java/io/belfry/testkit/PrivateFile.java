package io.belfry.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Files with keys and tokens for tests, with the permissions that a server requires. Threading: stateless. */
public final class PrivateFile {
  private PrivateFile() {}

  /** Writes a file with mode 0600, replacing an existing one. */
  public static Path write(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, text, StandardOpenOption.WRITE);
  }
}
