package io.belfry.core.fire;

import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Which of the instants to be fired are fired while tasks of the job are unfinished, and when several come at once.
 *
 * <ul>
 *   <li>allow: all.
 *   <li>skip: the first, if nothing is unfinished. The others would overlap with it and are skipped, also when the job makes up for
 *       all that was missed: who wants each of them, one after the other, says queue.
 *   <li>queue: one to run and {@value #WAITING_MAX} to wait behind it; the others are skipped.
 *   <li>replace: the newest. The older ones would be cancelled at once and are not begun.
 * </ul>
 *
 * @param room how many outcomes there may be; instants beyond it are left for the next plan
 * @param firesMax how many of them may be fires
 * @param fire makes the fire of an instant
 */
record OverlapRule(int room, int firesMax, Function<Instant, Outcome.Fire> fire) {
  static final int WAITING_MAX = 100;

  List<Outcome> apply(OverlapPolicy policy, List<Instant> due, int unfinished) {
    int count = due.size();
    return switch (policy) {
      case ALLOW -> divided(due, 0, count, SkipReason.OVERLAP);
      case SKIP -> divided(due, 0, unfinished == 0 ? 1 : 0, SkipReason.OVERLAP);
      case QUEUE ->
        divided(due, 0, Math.max(0, 1 + WAITING_MAX - unfinished), SkipReason.QUEUE_FULL);
      case REPLACE -> divided(due, Math.max(0, count - 1), 1, SkipReason.SUPERSEDED);
    };
  }

  /** Fires so many from an index on; what is before and after becomes a range each. */
  private List<Outcome> divided(List<Instant> due, int from, int fires, SkipReason reason) {
    List<Outcome> outcomes = new ArrayList<>();
    int to = Math.min(due.size(), from + fires);
    addRange(outcomes, due.subList(0, from), reason);
    int last = Math.min(to, from + Math.min(firesMax, room - outcomes.size()));
    for (Instant at : due.subList(from, last)) {
      outcomes.add(fire.apply(at));
    }
    if (last == to && outcomes.size() < room) {
      addRange(outcomes, due.subList(to, due.size()), reason);
    }
    return outcomes;
  }

  static void addRange(List<Outcome> outcomes, List<Instant> due, SkipReason reason) {
    if (!due.isEmpty()) {
      int count = Math.min(due.size(), SkippedRange.COUNT_MAX);
      outcomes.add(new Outcome.Skip(
          new SkippedRange(due.getFirst(), due.getLast(), count, count == due.size(), reason)));
    }
  }
}
