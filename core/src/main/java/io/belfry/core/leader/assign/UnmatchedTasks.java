package io.belfry.core.leader.assign;

import io.belfry.core.dispatch.UnmatchedCount;
import io.belfry.core.leader.task.LiveCounts;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.loop.Loop;
import io.belfry.model.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports tasks that wait although no worker may take them, as soon as that has lasted: as a warning in the log and as an event, once for
 * each queue and labels, and as a number for each queue.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class UnmatchedTasks {
  private static final Logger LOG = LoggerFactory.getLogger(UnmatchedTasks.class);
  private static final Duration EVERY = Duration.ofSeconds(10);
  /** Kinds of demands that are looked at; of a namespace with more of them some are reported. */
  private static final int DEMANDS_MAX = 1_000;
  /** So many are reported by one check; the others by the next ones. */
  static final int LINES_MAX = 10;

  private record Demand(String queue, Map<String, String> labels) {}

  private final Loop loop;
  private final TaskTable table;
  private final Duration patience;
  private final Duration every;
  private final Map<Demand, Long> since = new HashMap<>();
  private final Set<Demand> reported = new HashSet<>();
  private long lookedAt;

  public UnmatchedTasks(TermContext term, TaskTable table) {
    this.loop = term.loop();
    this.table = table;
    this.patience = term.settings().backpressure().unmatchedAfter();
    this.every = patience.compareTo(EVERY) < 0 ? patience : EVERY;
    this.lookedAt = loop.time().nanos();
  }

  /** To be called about once a second. */
  public void check() {
    long now = loop.time().nanos();
    if (now - lookedAt < every.toNanos()) {
      return;
    }
    lookedAt = now;
    var present = new HashSet<Demand>();
    var byQueue = new TreeMap<String, Long>();
    int lines = 0;
    for (UnmatchedCount each : table.dispatcher.unserved(DEMANDS_MAX)) {
      var demand = new Demand(each.queue(), each.labels());
      present.add(demand);
      long waited = now - since.computeIfAbsent(demand, unused -> now);
      if (waited >= patience.toNanos()) {
        String queue = byQueue.size() < LiveCounts.QUEUES_MAX || byQueue.containsKey(each.queue())
            ? each.queue()
            : LiveCounts.OTHER_QUEUES;
        byQueue.merge(queue, (long) each.tasks(), Long::sum);
        if (lines < LINES_MAX && reported.add(demand)) {
          lines++;
          report(each);
        }
      }
    }
    since.keySet().retainAll(present);
    reported.retainAll(present);
    table.tasks.counts.unmatched(byQueue);
  }

  private void report(UnmatchedCount unserved) {
    table.recordUnmatched(unserved);
    LOG.warn(
        "{} tasks have waited for {} and cannot start, because {}. Start such a worker, or correct the tasks' queue or labels.",
        unserved.tasks(),
        Durations.show(patience),
        unserved.sentence());
  }
}
