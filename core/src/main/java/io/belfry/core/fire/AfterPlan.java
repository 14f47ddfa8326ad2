package io.belfry.core.fire;

import io.belfry.core.record.Cursor;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Work;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Plans the fires of a job that runs after another one, when tasks of that one have ended.
 *
 * <pre>
 *   ends of the predecessor ──▶ disabled? ──▶ too old, or missed and policy skip? ──▶ overlap ──▶ task, or skip with its reason
 * </pre>
 *
 * <p>Every end counts on its own: unlike an instant of a timetable, it is not replaced by a later one. So of the missed-fire
 * policies only {@code skip} and the maximum age apply. Deterministic: same arguments, same answer. Threading: stateless.
 */
public final class AfterPlan {
  private AfterPlan() {}

  /**
   * The decision about one end.
   *
   * @param skipped why no task is created; empty if one is
   */
  public record Decided(TaskId id, Task predecessor, Instant at, Optional<SkipReason> skipped) {

    /** The same, but skipped for this reason. */
    public Decided unless(SkipReason reason) {
      return skipped.isPresent() ? this : new Decided(id, predecessor, at, Optional.of(reason));
    }
  }

  /** Whether a task that ended in this state fires the trigger. Skipped tasks never ran, and fire nothing. */
  public static boolean follows(Trigger.After.Outcome on, TaskState state) {
    return switch (state) {
      case TaskState.Succeeded unused -> on != Trigger.After.Outcome.FAILED;
      case TaskState.Failed unused -> on != Trigger.After.Outcome.SUCCEEDED;
      case TaskState.Cancelled unused -> on == Trigger.After.Outcome.FINISHED;
      case TaskState.Skipped unused -> false;
      case TaskState.Pending unused -> false;
      case TaskState.Held unused -> false;
    };
  }

  /**
   * Decides about all ends, in their order.
   *
   * @param ends tasks of the predecessor, in an end state that fires the trigger
   * @param grace an end up to this age is on time
   * @param unfinished how many tasks of the job have not ended
   */
  public static List<Decided> decide(
      Job job, List<Task> ends, Instant now, Duration grace, int unfinished) {
    var decided = new ArrayList<Decided>();
    for (Task end : ends) {
      Instant at = end.ended().orElse(now).truncatedTo(ChronoUnit.MILLIS);
      decided.add(new Decided(
          TaskId.following(job.id(), end.id(), at), end, at, untimely(job, at, now, grace)));
    }
    return overlap(job.overlap(), decided, unfinished);
  }

  private static Optional<SkipReason> untimely(Job job, Instant at, Instant now, Duration grace) {
    if (!job.enabled()) {
      return Optional.of(SkipReason.DISABLED);
    }
    if (!at.isBefore(now.minus(grace))) {
      return Optional.empty();
    }
    if (at.isBefore(now.minus(job.missed().maxAge()))) {
      return Optional.of(SkipReason.TOO_OLD);
    }
    return job.missed().policy() == MissedPolicy.Policy.SKIP
        ? Optional.of(SkipReason.MISSED)
        : Optional.empty();
  }

  private static List<Decided> overlap(OverlapPolicy policy, List<Decided> all, int unfinished) {
    int wanted = (int) all.stream().filter(each -> each.skipped.isEmpty()).count();
    int from = policy == OverlapPolicy.REPLACE ? Math.max(0, wanted - 1) : 0;
    int count = switch (policy) {
      case ALLOW -> wanted;
      case SKIP -> unfinished == 0 ? 1 : 0;
      case QUEUE -> Math.max(0, 1 + OverlapRule.WAITING_MAX - unfinished);
      case REPLACE -> 1;
    };
    SkipReason reason = switch (policy) {
      case QUEUE -> SkipReason.QUEUE_FULL;
      case REPLACE -> SkipReason.SUPERSEDED;
      case ALLOW, SKIP -> SkipReason.OVERLAP;
    };
    var decided = new ArrayList<Decided>();
    int place = 0;
    for (Decided each : all) {
      boolean starts = each.skipped.isPresent() || (place >= from && place < from + count);
      decided.add(
          starts ? each : new Decided(each.id, each.predecessor, each.at, Optional.of(reason)));
      place += each.skipped.isEmpty() ? 1 : 0;
    }
    return decided;
  }

  /** The cursor afterwards: it remembers the newest task if the overlap policy needs it. */
  public static Cursor after(Job job, Cursor cursor, List<Decided> decided) {
    Optional<TaskId> newest = decided.reversed().stream()
        .filter(each -> each.skipped.isEmpty())
        .map(Decided::id)
        .findFirst()
        .filter(unused -> job.overlap() != OverlapPolicy.ALLOW);
    return newest.isEmpty()
        ? cursor
        : new Cursor(cursor.generation(), cursor.active(), cursor.next(), cursor.last(), newest);
  }

  /**
   * The work with the id of the predecessor's task in its metadata.
   *
   * @throws io.belfry.model.InvalidException if the metadata would become too large
   */
  public static Work work(Work work, TaskId predecessor) {
    Map<String, String> metadata = new TreeMap<>(work.metadata());
    metadata.put(Trigger.After.PREDECESSOR, predecessor.toString());
    return work.withMetadata(metadata);
  }
}
