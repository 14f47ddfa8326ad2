package io.belfry.store.etcd;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the adapter logs while this is open. Threading: safe. */
final class Logged implements AutoCloseable {
  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.belfry.store.etcd");
  private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
    @Override
    protected void append(ILoggingEvent event) {
      events.add(event);
    }
  };

  private Logged() {
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.addAppender(appender);
  }

  static Logged begin() {
    return new Logged();
  }

  /** The lines of this level that begin with {@code start}. */
  List<String> lines(Level level, String start) {
    return events.stream()
        .filter(event -> event.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.startsWith(start))
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    appender.stop();
  }
}
