package io.belfry.core.leader.task;

import io.belfry.model.job.Priority;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many unfinished tasks a leader knows, by state and priority, and how many wait in which queue. Kept with every change, so that
 * asking costs the same however many there are.
 *
 * <p>Threading: counted by the leader's loop, read by anybody.
 */
public final class LiveCounts {
  /** Of so many queues each has a number of its own; tasks of all further ones are counted together. */
  public static final int QUEUES_MAX = 500;

  /** Stands for those. */
  public static final String OTHER_QUEUES = "";

  private static final int PRIORITIES = Priority.values().length;

  private final AtomicLongArray tasks = new AtomicLongArray(StateName.values().length * PRIORITIES);
  private final Map<String, LongAdder> waiting = new ConcurrentHashMap<>();

  private volatile Map<String, Long> unmatched = Map.of();

  /** Tasks in this state and of this priority. */
  public long count(StateName state, Priority priority) {
    return tasks.get(place(state, priority));
  }

  /** Tasks that wait, for their time or for a worker, by queue. */
  public Map<String, Long> waitingByQueue() {
    Map<String, Long> depths = new TreeMap<>();
    waiting.forEach((queue, count) -> depths.put(queue, count.sum()));
    return depths;
  }

  /** Tasks that have waited for long and that no worker may take, by queue. */
  public Map<String, Long> unmatchedByQueue() {
    return unmatched;
  }

  public void unmatched(Map<String, Long> byQueue) {
    unmatched = Collections.unmodifiableMap(new TreeMap<>(byQueue));
  }

  void came(Task task) {
    count(task, 1);
  }

  void went(Task task) {
    count(task, -1);
  }

  private void count(Task task, int more) {
    StateName state = task.stateName();
    int place = place(state, task.priority());
    tasks.lazySet(place, tasks.get(place) + more);
    if (state == StateName.PENDING || state == StateName.RETRYING) {
      depth(task.work().queue()).add(more);
    }
  }

  /** A queue that has a number keeps it, so that a task is subtracted where it was added. */
  private LongAdder depth(String queue) {
    LongAdder known = waiting.get(queue);
    if (known != null) {
      return known;
    }
    String name = waiting.size() < QUEUES_MAX ? queue : OTHER_QUEUES;
    return waiting.computeIfAbsent(name, unused -> new LongAdder());
  }

  @SuppressWarnings("EnumOrdinal") // a place in an array of this process
  private static int place(StateName state, Priority priority) {
    return state.ordinal() * PRIORITIES + priority.ordinal();
  }
}
