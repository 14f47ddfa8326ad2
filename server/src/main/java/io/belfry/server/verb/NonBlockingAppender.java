package io.belfry.server.verb;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Writes log lines on its own thread, so that a blocked output (a full pipe, a stopped terminal, a stalled disk) never blocks the thread that
 * logs: a leader or worker that waits for its log would lose its lease.
 *
 * <p>Lines are buffered up to a size limit. When the buffer is full, further lines are dropped, and a line with their number is written once
 * there is room.
 *
 * <p>Threading: safe.
 */
final class NonBlockingAppender extends UnsynchronizedAppenderBase<ILoggingEvent>
    implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(1);

  private final LoggerContext logs;
  private final Encoder<ILoggingEvent> encoder;
  private final OutputStream out;
  private final Thread writer =
      Thread.ofPlatform().daemon().name("belfry-log").unstarted(this::run);
  private final ArrayDeque<byte[]> buffer = new ArrayDeque<>();
  private int bufferedBytes;
  private long dropped;
  private boolean closed;

  NonBlockingAppender(LoggerContext logs, Encoder<ILoggingEvent> encoder, OutputStream out) {
    this.logs = logs;
    this.encoder = encoder;
    this.out = out;
    setContext(logs);
  }

  @Override
  public void start() {
    super.start();
    writer.start();
  }

  @Override
  protected void append(ILoggingEvent event) {
    byte[] line = encoder.encode(event);
    synchronized (this) {
      if (bufferedBytes + line.length > BUFFER_BYTES) {
        dropped++;
      } else {
        buffer.add(line);
        bufferedBytes += line.length;
        notifyAll();
      }
    }
  }

  private void run() {
    boolean more = true;
    while (more) {
      try {
        more = writeNext();
      } catch (IOException | RuntimeException e) {
        addError("A log line could not be written. Writing continues with the next line.", e);
      }
    }
  }

  /** False once the appender is closed and everything is written. */
  private boolean writeNext() throws IOException {
    Optional<byte[]> line = next();
    if (line.isPresent()) {
      out.write(line.get());
      out.flush();
    }
    return line.isPresent();
  }

  /** Waits for the next line to write; empty once the appender is closed and everything is written. */
  private synchronized Optional<byte[]> next() {
    while (buffer.isEmpty() && dropped == 0 && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        addWarn("The thread that writes the log was interrupted, and continues.", e);
      }
    }
    Optional<byte[]> line = Optional.ofNullable(buffer.poll());
    line.ifPresent(taken -> bufferedBytes -= taken.length);
    return line.or(this::droppedLine);
  }

  private Optional<byte[]> droppedLine() {
    if (dropped == 0) {
      return Optional.empty();
    }
    var event = new LoggingEvent(
        NonBlockingAppender.class.getName(),
        logs.getLogger(NonBlockingAppender.class),
        Level.WARN,
        "{} log lines were dropped, because the log output was too slow.",
        null,
        new Object[] {dropped});
    dropped = 0;
    return Optional.of(encoder.encode(event));
  }

  /** Flushes the buffer, for one second at most: a blocked output must not keep the process from exiting. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      var unused = writer.join(FLUSH_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
