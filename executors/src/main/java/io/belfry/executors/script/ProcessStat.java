package io.belfry.executors.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The state of a process from {@code /proc/PID/stat}.
 *
 * <p>Threading: immutable.
 *
 * @param began start time in ticks since the machine was booted
 */
record ProcessStat(boolean dead, long parent, long group, long session, long began) {
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int GROUP = 2;
  private static final int SESSION = 3;
  private static final int BEGAN = 19;

  /**
   * Reads the state of one process; empty if there is none.
   *
   * @throws IOException if the process exists and cannot be read, for example without free file descriptors
   */
  static Optional<ProcessStat> of(Path proc, long pid) throws IOException {
    Path process = proc.resolve(String.valueOf(pid));
    try {
      return parse(new String(Files.readAllBytes(process.resolve("stat")), ISO_8859_1));
    } catch (NoSuchFileException | AccessDeniedException e) {
      return Optional.empty(); // has ended, or is hidden from this user and so not one of ours
    } catch (IOException e) {
      if (Files.notExists(process)) {
        return Optional.empty(); // has ended while it was read
      }
      throw e;
    }
  }

  /** The fields follow the name, which may contain any character and ends with the last parenthesis. */
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
   * The value of {@code began} for a process that starts now. The kernel reports ticks of a hundredth of a second, which is also the
   * precision of this file.
   */
  static long now(Path proc) {
    try {
      String text = Files.readString(proc.resolve("uptime"));
      return Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", ""));
    } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
      return 0; // some sandboxes lack the file; then older processes are checked, too
    }
  }
}
