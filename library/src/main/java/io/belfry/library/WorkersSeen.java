package io.belfry.library;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The workers that were heard of in the last day: where every process has a name of its own, those that are gone must not be counted for
 * ever.
 *
 * <p>Threading: safe.
 */
final class WorkersSeen {
  static final Duration KEPT = Duration.ofDays(1);
  private static final int WORKERS_MAX = 10_000;

  private final Time time;
  /** When each was last heard of, the longest ago first. */
  private final Map<String, Long> last = new LinkedHashMap<>();

  WorkersSeen(Time time) {
    this.time = time;
  }

  synchronized void heardOf(String worker) {
    last.remove(worker);
    last.put(worker, time.nanos());
    forget();
  }

  /**
   * Those that are not among the ones that are online.
   *
   * @param there online or not
   */
  synchronized long offline(Set<String> there, Set<String> online) {
    there.forEach(this::heardOf);
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
