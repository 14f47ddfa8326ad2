package io.belfry.executors.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the kernel tells everybody about a process.
 *
 * <p>Threading: immutable.
 *
 * @param began in ticks since the machine was started
 */
record ProcessStat(boolean dead, long parent, long group, long session, long began) {
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int GROUP = 2;
  private static final int SESSION = 3;
  private static final int BEGAN = 19;

  /**
   * Of one process; empty if there is none.
   *
   * @throws IOException if there is one and it cannot be read, such as for want of file descriptors
   */
  static Optional<ProcessStat> of(Path proc, long pid) throws IOException {
    Path process = proc.resolve(String.valueOf(pid));
    try {
      return parse(new String(Files.readAllBytes(process.resolve("stat")), ISO_8859_1));
    } catch (NoSuchFileException | AccessDeniedException e) {
      return Optional.empty(); // ended meanwhile, or hidden from this user and so not ours
    } catch (IOException e) {
      if (Files.notExists(process)) {
        return Optional.empty(); // ended while it was read
      }
      throw e;
    }
  }

  /** The fields follow the name, which may hold anything but ends with the last bracket. */
  private static Optional<ProcessStat> parse(String text) {
    String[] fields = text.substring(text.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (fields.length <= BEGAN) {
      return Optional.empty();
    }
    return Optional.of(new ProcessStat(
        fields[STATE].equals("Z") || fields[STATE].equals("X"),
        Long.parseLong(fields[PARENT]),
        Long.parseLong(fields[GROUP]),
        Long.parseLong(fields[SESSION]),
        Long.parseLong(fields[BEGAN])));
  }

  /**
   * What {@code began} would be of a process that began now. Programs are told ticks of a hundredth of a second, and that is also how exactly
   * this file is written.
   */
  static long now(Path proc) {
    try {
      String text = Files.readString(proc.resolve("uptime"));
      return Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", ""));
    } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
      return 0; // some sandboxes have none; then older processes are looked at, too
    }
  }
}
