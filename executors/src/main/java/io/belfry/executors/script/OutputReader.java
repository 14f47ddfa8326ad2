package io.belfry.executors.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.executors.secret.Redaction;
import io.belfry.model.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the output of a process line by line. Memory is bounded: long lines are truncated, and only the beginning of the whole output
 * is kept. Secrets are redacted before anything is truncated.
 *
 * <p>Threading: has a thread of its own, until the end of the output or until it is closed. After joining or closing it, a caller may read
 * what was kept.
 */
final class OutputReader implements Runnable, AutoCloseable {
  static final int KEPT_MAX = 256 * 1024;

  private static final int LINE_CHARS_MAX = 4000;
  private static final int BYTES_A_CHAR = 4;
  private static final int BUFFER = 16 * 1024;
  private static final Duration CLOSING = Duration.ofSeconds(5);
  private static final Logger LOG = LoggerFactory.getLogger(OutputReader.class);

  private final ReadableByteChannel in;
  private final Redaction redaction;
  private final Time time;
  private final Consumer<String> lines;
  private final Thread thread;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private volatile boolean more;
  private boolean lineCut;
  private byte before;

  private OutputReader(
      String name, ReadableByteChannel in, Redaction redaction, Time time, Consumer<String> lines) {
    this.in = in;
    this.redaction = redaction;
    this.time = time;
    this.lines = lines;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  /**
   * Starts reading.
   *
   * @param in closing it must end its reader
   */
  static OutputReader start(
      String name, ReadableByteChannel in, Redaction redaction, Time time, Consumer<String> lines) {
    var pump = new OutputReader(name, in, redaction, time, lines);
    pump.thread.start();
    return pump;
  }

  /** Waits for the end of the output. Returns whether it was reached. */
  boolean join(Duration patience) throws InterruptedException {
    return thread.join(patience);
  }

  /** The complete output, if it was not too long. */
  byte[] all() {
    return more ? new byte[0] : kept.toByteArray();
  }

  /** Stops reading and ends the thread. */
  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      LOG.warn("The output pipe of a script could not be closed.", e);
    }
    if (!UninterruptibleWait.await(time, CLOSING, nanos -> thread.join(Duration.ofNanos(nanos)))) {
      LOG.error(
          "The output reader {} does not end, because the task log does not accept its line.",
          thread.getName());
    }
  }

  @Override
  public void run() {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    try (in) {
      while (in.read(buffer) >= 0) {
        take(buffer.array(), buffer.position());
        buffer.clear();
      }
    } catch (ClosedChannelException e) {
      // Closed by its caller, who reports it.
    } catch (IOException e) {
      lines.accept("… (reading the output failed: " + e.getMessage() + ")");
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
    String said = line.toString(UTF_8);
    String shown = plain(lineCut ? redaction.applyToBeginning(said) : redaction.apply(said));
    boolean cut = lineCut || shown.length() > LINE_CHARS_MAX;
    lines.accept(
        cut
            ? shown.substring(0, Math.min(LINE_CHARS_MAX, shown.length())) + " … (truncated)"
            : shown);
    line.reset();
    lineCut = false;
  }

  /** Replaces control characters: output must not control the terminal of a user who reads the log. */
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
