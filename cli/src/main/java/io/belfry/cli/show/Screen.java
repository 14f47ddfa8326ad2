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
 * Which standard streams are terminals, and what the terminal can show. Threading: immutable.
 *
 * @param in whether standard input is a terminal
 * @param out whether standard output is a terminal
 * @param err whether standard error is a terminal
 * @param columns width of the terminal; computed on demand, because it may start a process
 * @param unicode whether the terminal can show more than ASCII
 */
public record Screen(boolean in, boolean out, boolean err, IntSupplier columns, boolean unicode) {
  private static final int COLUMNS_DEFAULT = 80;

  /** No stream is a terminal. */
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

  private static IntSupplier once(IntSupplier source) {
    var known = new AtomicInteger();
    return () -> known.updateAndGet(columns -> columns == 0 ? source.getAsInt() : columns);
  }

  /** The width for tables; 0 (unlimited) if standard output is not a terminal. */
  public int width() {
    return out ? columns.getAsInt() : 0;
  }

  public String cutMark() {
    return unicode ? "…" : "~";
  }

  public String arrow() {
    return unicode ? "→" : "->";
  }

  /** Reads the link of the file descriptor; without /proc asks the console, which covers standard input and output together. */
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

  /** From Java 22 on a console always exists, and says whether it is a terminal. */
  private static boolean isReal(Console console) {
    try {
      return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  private static int columns(Map<String, String> environment) {
    String value = environment.getOrDefault("COLUMNS", "");
    if (value.matches("[1-9]\\d{0,3}")) {
      return Integer.parseInt(value);
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
      return COLUMNS_DEFAULT; // no stty or no controlling terminal: assume the usual width
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return COLUMNS_DEFAULT;
  }
}
