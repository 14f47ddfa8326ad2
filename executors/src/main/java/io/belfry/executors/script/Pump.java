package io.belfry.executors.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.executors.secret.Redaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a process prints, line by line, as fast as it comes. Nothing that is printed can fill the memory: a line is cut, and
 * beside the lines only the beginning of the whole is kept. Secrets are taken out before anything is cut.
 *
 * <p>Threading: a thread of its own; whoever joined it may read what was kept.
 */
final class Pump implements Runnable {
  static final int KEPT_MAX = 256 * 1024;

  private static final int LINE_CHARS_MAX = 4000;
  private static final int BYTES_A_CHAR = 4;
  private static final int BUFFER = 16 * 1024;

  private final InputStream in;
  private final Redaction redaction;
  private final Consumer<String> lines;
  private final Thread thread;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private boolean more;
  private boolean lineCut;
  private byte before;

  private Pump(String name, InputStream in, Redaction redaction, Consumer<String> lines) {
    this.in = in;
    this.redaction = redaction;
    this.lines = lines;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  static Pump start(String name, InputStream in, Redaction redaction, Consumer<String> lines) {
    var pump = new Pump(name, in, redaction, lines);
    pump.thread.start();
    return pump;
  }

  /** Whether everything was taken. */
  boolean join(Duration patience) throws InterruptedException {
    return thread.join(patience);
  }

  /** All that was printed, if it was not too much. */
  byte[] all() {
    return more ? new byte[0] : kept.toByteArray();
  }

  @Override
  public void run() {
    byte[] buffer = new byte[BUFFER];
    try (in) {
      int count = in.read(buffer);
      while (count >= 0) {
        take(buffer, count);
        count = in.read(buffer);
      }
    } catch (IOException e) {
      lines.accept("… (the output broke off: " + e.getMessage() + ")");
    }
    if (line.size() > 0) {
      endLine();
    }
  }

  private void take(byte[] buffer, int count) {
    int room = KEPT_MAX - kept.size();
    kept.write(buffer, 0, Math.min(room, count));
    more = more || count > room;
    int lineMax = (LINE_CHARS_MAX + redaction.longest()) * BYTES_A_CHAR;
    for (int i = 0; i < count; i++) {
      byte b = buffer[i];
      if (b == '\n' || b == '\r') {
        if (b == '\r' || before != '\r') {
          endLine();
        }
      } else if (line.size() < lineMax) {
        line.write(b);
      } else {
        lineCut = true;
      }
      before = b;
    }
  }

  private void endLine() {
    String shown = redaction.apply(plain(line.toString(UTF_8)));
    boolean cut = lineCut || shown.length() > LINE_CHARS_MAX;
    lines.accept(
        cut ? shown.substring(0, Math.min(LINE_CHARS_MAX, shown.length())) + " … (cut)" : shown);
    line.reset();
    lineCut = false;
  }

  /** Whoever looks at a log in a terminal must not be told what to do by it. */
  private static String plain(String text) {
    @Nullable StringBuilder clean = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) && c != '\t') {
        clean = clean == null ? new StringBuilder(text) : clean;
        clean.setCharAt(i, '\uFFFD');
      }
    }
    return clean == null ? text : clean.toString();
  }
}
