package io.belfry.core.fire;

import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Decides which due instants fire while tasks of the job are unfinished, or when several are due at once.
 *
 * <ul>
 *   <li>allow: all.
 *   <li>skip: the first, if no task is unfinished. The others would overlap with it and are skipped, even if the job catches up on
 *       all missed fires; to run each of them in turn, use queue.
 *   <li>queue: one to run and {@value #WAITING_MAX} to wait behind it; the others are skipped.
 *   <li>replace: the newest. The older ones would be cancelled at once and are not started.
 * </ul>
 *
 * @param room the most outcomes; further instants are left for the next plan
 * @param firesMax how many of them may be fires
 * @param fire creates the fire of an instant
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

  /** Fires {@code fires} instants from an index on; those before and those after become one range each. */
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
