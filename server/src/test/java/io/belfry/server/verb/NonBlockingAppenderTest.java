package io.belfry.server.verb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NonBlockingAppenderTest {
  private final LoggerContext logs = new LoggerContext();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  /** Cannot encode the line with the number of dropped lines. */
  private static final class Broken extends EncoderBase<ILoggingEvent> {
    @Override
    public byte[] headerBytes() {
      return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
      if (event.getFormattedMessage().contains("were dropped")) {
        throw new IllegalStateException("no such line");
      }
      return event.getFormattedMessage().getBytes(UTF_8);
    }

    @Override
    public byte[] footerBytes() {
      return new byte[0];
    }
  }

  private ILoggingEvent line(String text) {
    return new LoggingEvent("", logs.getLogger("some"), Level.INFO, text, null, null);
  }

  @Test
  void a_line_that_cannot_be_encoded_does_not_end_the_log() {
    try (var appender = new NonBlockingAppender(logs, new Broken(), written)) {
      appender.start();
      appender.doAppend(line("x".repeat(2 << 20))); // more than the buffer holds: dropped
      appender.doAppend(line("still here"));
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> written.toString(UTF_8).contains("still here"));
      appender.doAppend(line("and here"));
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> written.toString(UTF_8).contains("and here"));
    }
  }
}
