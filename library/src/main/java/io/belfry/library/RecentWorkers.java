package io.belfry.library;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The workers seen within the last day. Older ones are forgotten, because worker ids may be different for every process.
 *
 * <p>Threading: safe.
 */
final class RecentWorkers {
  static final Duration KEPT = Duration.ofDays(1);
  private static final int WORKERS_MAX = 10_000;

  private final Time time;
  /** When each was last seen, oldest first. */
  private final Map<String, Long> last = new LinkedHashMap<>();

  RecentWorkers(Time time) {
    this.time = time;
  }

  synchronized void seen(String worker) {
    last.remove(worker);
    last.put(worker, time.nanos());
    forget();
  }

  /**
   * Counts the workers that are not online.
   *
   * @param registered workers that have a record now
   * @param online those of them that are healthy
   */
  synchronized long offline(Set<String> registered, Set<String> online) {
    registered.forEach(this::seen);
    forget();
    return last.keySet().stream().filter(id -> !online.contains(id)).count();
  }

  private void forget() {
    long now = time.nanos();
    Iterator<Long> oldest = last.values().iterator();
    while (oldest.hasNext()
        && (now - oldest.next() >= KEPT.toNanos() || last.size() > WORKERS_MAX)) {
      oldest.remove();
    }
  }
}
