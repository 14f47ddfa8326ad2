package io.belfry.cli.show;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * What the streams of the program lead to. Threading: immutable.
 *
 * @param in whether somebody types
 * @param out whether somebody reads the answer, rather than a program or a file
 * @param err whether somebody reads the complaints
 * @param columns asked for when it is needed, because the question costs a process
 * @param unicode whether more than ASCII can be shown
 */
public record Screen(boolean in, boolean out, boolean err, IntSupplier columns, boolean unicode) {
  private static final int COLUMNS_USUAL = 80;

  /** A pipe or a file at all three. */
  public static Screen none() {
    return new Screen(false, false, false, () -> 0, true);
  }

  public static Screen detect(Map<String, String> environment, Charset charset) {
    return new Screen(
        isTerminal(0),
        isTerminal(1),
        isTerminal(2),
        once(() -> columns(environment)),
        charset.newEncoder().canEncode('…'));
  }

  private static IntSupplier once(IntSupplier question) {
    var known = new AtomicInteger();
    return () -> known.updateAndGet(columns -> columns == 0 ? question.getAsInt() : columns);
  }

  /** The width for tables; 0 where nobody reads them from a terminal. */
  public int width() {
    return out ? columns.getAsInt() : 0;
  }

  public String cutMark() {
    return unicode ? "…" : "~";
  }

  public String arrow() {
    return unicode ? "→" : "->";
  }

  /** By what the file descriptor is; where the system does not tell, by the console, which means both in and out. */
  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd/" + descriptor);
    if (!Files.isSymbolicLink(link)) {
      return descriptor != 2
          && Optional.ofNullable(System.console()).filter(Screen::isReal).isPresent();
    }
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException e) {
      return false;
    }
  }

  /** From Java 22 on there is always a console, and it says itself whether anybody sits at it. */
  private static boolean isReal(Console console) {
    try {
      return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  private static int columns(Map<String, String> environment) {
    String said = environment.getOrDefault("COLUMNS", "");
    if (said.matches("[1-9]\\d{0,3}")) {
      return Integer.parseInt(said);
    }
    try {
      Process stty = new ProcessBuilder("stty", "size")
          .redirectInput(new File("/dev/tty"))
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      String answer =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      if (stty.waitFor(1, TimeUnit.SECONDS) && answer.matches("\\d+ [1-9]\\d{0,3}")) {
        return Integer.parseInt(answer.substring(answer.indexOf(' ') + 1));
      }
    } catch (IOException e) {
      return COLUMNS_USUAL; // no stty, no terminal of our own: the width that everybody has
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return COLUMNS_USUAL;
  }
}
