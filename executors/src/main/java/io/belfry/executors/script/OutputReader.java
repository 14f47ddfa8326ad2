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
 * Takes what a process prints, line by line, as fast as it comes. Nothing that is printed can fill the memory: a line is cut, and
 * beside the lines only the beginning of the whole is kept. Secrets are taken out before anything is cut.
 *
 * <p>Threading: a thread of its own, until the end of what is printed or until it is closed; whoever joined or closed it may read what was
 * kept.
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
   * Begins to take.
   *
   * @param in whose reader must be ended by closing it
   */
  static OutputReader start(
      String name, ReadableByteChannel in, Redaction redaction, Time time, Consumer<String> lines) {
    var pump = new OutputReader(name, in, redaction, time, lines);
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

  /** Takes no more, and leaves no thread behind. */
  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      LOG.warn("The output of a script could not be closed.", e);
    }
    if (!UninterruptibleWait.await(time, CLOSING, nanos -> thread.join(Duration.ofNanos(nanos)))) {
      LOG.error("{} does not end, because the log of its attempt takes no line.", thread.getName());
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
      // Given up, which whoever closed it says.
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
    String said = line.toString(UTF_8);
    String shown = plain(lineCut ? redaction.applyToBeginning(said) : redaction.apply(said));
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
