package io.belfry.cli.verb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;

/** The operating-system user who runs this program. Threading: stateless. */
final class Caller {
  private static final Path PROCESS = Path.of("/proc/self");

  private Caller() {}

  /**
   * The user as the owner of files. A name is not enough: anyone can set {@code user.name}, and a container user may have none.
   */
  static UserPrincipal asOwner() throws IOException {
    if (Files.isDirectory(PROCESS)) {
      return Files.getOwner(PROCESS);
    }
    Path own = Files.createTempFile("belfry", null);
    try {
      return Files.getOwner(own);
    } finally {
      Files.delete(own);
    }
  }
}
