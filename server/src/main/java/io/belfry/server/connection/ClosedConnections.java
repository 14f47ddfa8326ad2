package io.belfry.server.connection;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts closed connections by reason, and logs them at most once a minute for each reason, so that an attack does not flood the log.
 *
 * <p>Threading: safe.
 */
final class ClosedConnections {
  private static final Logger LOG = LoggerFactory.getLogger(ClosedConnections.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private static final class Count {
    private long total;
    private long logged;
    private long loggedAt;
    private String lastFrom = "";
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<CloseReason, Count> counts = new EnumMap<>(CloseReason.class);

  ClosedConnections() {
    for (CloseReason reason : CloseReason.values()) {
      counts.put(reason, new Count());
    }
  }

  void add(CloseReason reason, String from) {
    lock.lock();
    try {
      Count count = of(reason);
      count.total++;
      count.lastFrom = from;
    } finally {
      lock.unlock();
    }
  }

  private Count of(CloseReason reason) {
    return counts.computeIfAbsent(reason, missing -> new Count());
  }

  /** Totals by reason, including zeros. */
  Map<String, Long> totals() {
    var all = new TreeMap<String, Long>();
    lock.lock();
    try {
      counts.forEach((reason, count) -> all.put(reason.label(), count.total));
    } finally {
      lock.unlock();
    }
    return all;
  }

  /** Logs the connections closed since the last line of the same reason, if that line is a minute old. */
  void log(long now) {
    lock.lock();
    try {
      counts.forEach((reason, count) -> {
        boolean first = count.logged == 0;
        if (count.total > count.logged && (first || now - count.loggedAt >= PAUSE.toNanos())) {
          LOG.warn(
              "Connections: closed {} because {}. The last came from {}. See belfry_http_connections_closed_total{reason=\"{}\"}.",
              count.total - count.logged,
              reason.text(),
              count.lastFrom,
              reason.label());
          count.logged = count.total;
          count.loggedAt = now;
        }
      });
    } finally {
      lock.unlock();
    }
  }
}
