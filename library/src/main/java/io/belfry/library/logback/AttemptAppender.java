package io.belfry.library.logback;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptScope;
import java.util.Optional;

/**
 * Logback appender that adds the log lines of a handler, and of threads it started, to the log of its task. Add it to your other appenders:
 *
 * <pre>{@code
 * <appender name="TASK" class="io.belfry.library.logback.AttemptAppender"/>
 * <root level="info"><appender-ref ref="STDOUT"/><appender-ref ref="TASK"/></root>
 * }</pre>
 *
 * <p>Threading: safe once started.
 */
public final class AttemptAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private final PatternLayout layout = new PatternLayout();
  private String pattern = "%d{HH:mm:ss.SSS} %-5level %logger{36} - %msg%n";

  /** Logback pattern of the lines. Default: time, level, logger and message. */
  public void setPattern(String pattern) {
    this.pattern = pattern;
  }

  @Override
  public void start() {
    layout.setContext(getContext());
    layout.setPattern(pattern);
    layout.start();
    super.start();
  }

  @Override
  public void stop() {
    layout.stop();
    super.stop();
  }

  @Override
  protected void append(ILoggingEvent event) {
    Optional<AttemptContext> attempt = AttemptScope.current();
    if (attempt.isPresent()) {
      attempt.get().log(layout.doLayout(event));
    }
  }
}
