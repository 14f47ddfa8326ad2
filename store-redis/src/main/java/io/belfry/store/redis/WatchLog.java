package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.LogLimiter;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that watches hear nothing although commits succeed: the connection on which feeds are read is one of its own, and may be refused
 * alone. While there is no connection for commits either, {@link ConnectionLog} says so.
 *
 * <p>Threading: confined to the reader's thread.
 */
final class WatchLog {
  private static final Logger LOG = LoggerFactory.getLogger(WatchLog.class);
  /** What is over sooner is not worth a line. */
  private static final Duration HICCUP = Duration.ofSeconds(1);

  private final Time time;
  private final String namespace;
  private final LogLimiter limiter;
  private boolean failing;
  private boolean said;
  private long since;

  WatchLog(Time time, String namespace) {
    this.time = time;
    this.namespace = namespace;
    this.limiter = LogLimiter.everyMinute(time);
  }

  /** Feeds could not be read. */
  void failed(String why, boolean commitsPass) {
    if (!failing) {
      failing = true;
      said = false;
      since = time.nanos();
    }
    if (commitsPass && time.nanos() - since >= HICCUP.toNanos()) {
      said |= limiter.log(
          why,
          more -> LOG.warn(
              "Redis (namespace {}): watches hear nothing, because feeds cannot be read: {}{} It is tried again at least every"
                  + " second. Commits succeed meanwhile; this node learns of changes late, by its own checks.",
              namespace,
              why,
              more));
    }
  }

  /** Feeds were read, whether or not there was something in them. */
  void read() {
    if (failing) {
      failing = false;
      if (said) {
        LOG.info(
            "Redis (namespace {}): watches are served again, after {} ms. They go on where they were.",
            namespace,
            Duration.ofNanos(time.nanos() - since).toMillis());
      }
    }
  }
}
