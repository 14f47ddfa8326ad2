package io.belfry.core.worker;

import io.belfry.core.record.Request;
import io.belfry.model.Check;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The identity and the capacity of a worker.
 *
 * @param id configured; the process adds its incarnation
 * @param labels that tasks may require; the id is always among them, as {@link Request#WORKER}
 * @param queues the queues it serves; empty for all
 * @param lease how long a worker without heartbeats keeps its tasks
 * @param heartbeat the interval of heartbeats
 */
public record WorkerSettings(
    String id,
    String name,
    String address,
    Map<String, String> labels,
    Set<String> queues,
    int weight,
    int capacity,
    Duration lease,
    Duration heartbeat) {

  private static final int ID_CHARS_MAX = 128;
  private static final String RESERVED = "belfry.";
  private static final int CAPACITY_MAX = 100_000;
  private static final int WEIGHT_MAX = 10_000;

  public WorkerSettings {
    Check.whole("worker.id", Check.text("worker.id", id, ID_CHARS_MAX));
    Check.that(
        id.indexOf('/') < 0 && id.indexOf('~') < 0,
        "worker.id",
        id,
        "must contain neither '/' nor '~', because it becomes part of keys",
        "Use letters, digits, '.', '_' and '-'.");
    labels = withOwn(id, Check.labels("worker.labels", labels));
    queues = Set.copyOf(queues);
    Check.between("worker.weight", weight, 1, WEIGHT_MAX, "weights are shares of the work");
    requireCapacity("worker.capacity", capacity);
    Check.between(
        "worker.lease",
        lease,
        Duration.ofSeconds(2),
        Duration.ofMinutes(10),
        "shorter leases expire during a pause of the engine, longer ones leave tasks with dead workers");
    if (heartbeat.isNegative()
        || heartbeat.isZero()
        || heartbeat.multipliedBy(3).compareTo(lease) > 0) {
      throw Check.refusal(
          "worker.heartbeat",
          heartbeat,
          "must be positive and fit three times into worker.lease (" + lease
              + "), so that one lost heartbeat does not end the lease",
          "Set worker.heartbeat to " + lease.dividedBy(3) + " or less, or raise worker.lease.");
    }
  }

  /** Adds the configured id as a label, so that a task can require one worker like any other property. */
  private static Map<String, String> withOwn(String id, Map<String, String> labels) {
    labels.forEach((key, value) -> Check.that(
        !key.startsWith(RESERVED) || (key.equals(Request.WORKER) && value.equals(id)),
        "worker.labels",
        key,
        "must not begin with " + RESERVED + ", because such labels have a meaning of their own",
        "Choose another name."));
    Map<String, String> all = new TreeMap<>(labels);
    all.put(Request.WORKER, id);
    return Collections.unmodifiableMap(all);
  }

  /** Checks how many attempts a worker may be configured to hold. */
  public static void requireCapacity(String field, int attempts) {
    Check.between(field, attempts, 0, CAPACITY_MAX, "every attempt needs memory of its own");
  }

  public static WorkerSettings of(String id, int capacity) {
    return new WorkerSettings(
        id, id, "", Map.of(), Set.of(), 1, capacity, Duration.ofSeconds(4), Duration.ofSeconds(1));
  }

  /** The safety margin before the lease expires in which attempts must end. */
  Duration margin() {
    return lease.dividedBy(5);
  }
}
