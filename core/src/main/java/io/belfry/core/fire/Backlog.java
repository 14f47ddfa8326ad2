package io.belfry.core.fire;

import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.CatchUp;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.missed.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The due instants of a job that makes up for all it has missed, kept from one commit to the next: a commit has room for a few of them, and
 * to find out each time which of them are left would ask the timetable for all.
 *
 * <pre>
 *   first                                  now − maxAge     now − grace    now
 *   ──○────○────○────○────○────○────○────○────┼──○────○────○────┼──○───○───┤
 *     └── too old ─────────────┴─ too many ─┘   └── missed ──────┴ on time ┘
 * </pre>
 *
 * <p>A memory only: without it the same follows. Threading: confined to the leader's loop.
 */
public final class Backlog {
  /** More is not kept: what is left is asked for again. */
  private static final int KEPT_MAX = 2 * MissedPolicy.MAX_COUNT;

  private static final Duration IDLE = Duration.ofMinutes(1);

  private @Nullable FirePlan owner;
  private Instant asked = Instant.EPOCH;
  /** All from the first that has no outcome yet, up to the newest that was due when it was asked last. */
  private List<Instant> due = new ArrayList<>();

  /** Whether a job with these rules has more fires to make up for than one commit takes. */
  static boolean helps(Job job) {
    return job.overlap() == OverlapPolicy.ALLOW && job.missed().policy() == MissedPolicy.Policy.ALL;
  }

  /** Whether nobody has asked for long: its job may be gone. */
  boolean isIdleSince(Instant now) {
    return asked.plus(IDLE).isBefore(now);
  }

  /** How many instants are kept. */
  public int size() {
    return due.size();
  }

  /**
   * The same as {@link MissedPolicy#catchUp}, but for fires beyond those that there is room for.
   *
   * @param plan for which it is asked; for another one nothing is known
   */
  CatchUp catchUp(
      FirePlan plan, MissedPolicy policy, Instant first, Instant now, Duration grace, int room) {
    asked = now;
    Timetable times = plan.timetable();
    if (!isKnown(plan, first) || !extend(times, now)) {
      CatchUp all = policy.catchUp(first, now, grace, times);
      owner = plan;
      due = new ArrayList<>(all.fire());
      return new CatchUp(head(0, room), all.skipped());
    }
    int missed = before(now.minus(grace));
    int old = Math.min(missed, before(now.minus(policy.maxAge())));
    int many = Math.max(old, missed - policy.maxCount());
    var skipped = new ArrayList<SkippedRange>();
    addRange(skipped, 0, old, SkipReason.TOO_OLD);
    addRange(skipped, old, many, SkipReason.TOO_MANY);
    return new CatchUp(head(many, room), skipped);
  }

  private boolean isKnown(FirePlan plan, Instant first) {
    int done = before(first);
    boolean known = plan == owner && done < due.size() && due.get(done).equals(first);
    due = known ? due.subList(done, due.size()) : new ArrayList<>();
    return known;
  }

  /** Takes in what has become due since; false if that is too much. */
  private boolean extend(Timetable times, Instant now) {
    Optional<Instant> next = times.next(due.getLast());
    if (next.filter(at -> !at.isAfter(now)).isPresent()) {
      due = new ArrayList<>(due);
    }
    while (next.filter(at -> !at.isAfter(now)).isPresent()) {
      if (due.size() == KEPT_MAX) {
        return false;
      }
      due.add(next.get());
      next = times.next(next.get());
    }
    return !due.getLast().isAfter(now);
  }

  private List<Instant> head(int from, int room) {
    return List.copyOf(due.subList(from, Math.min(due.size(), from + room)));
  }

  /** How many lie before this instant. */
  private int before(Instant at) {
    int low = 0;
    int high = due.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (due.get(middle).isBefore(at)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void addRange(List<SkippedRange> skipped, int from, int to, SkipReason reason) {
    if (from < to) {
      int count = Math.min(to - from, SkippedRange.COUNT_MAX);
      skipped.add(
          new SkippedRange(due.get(from), due.get(to - 1), count, count == to - from, reason));
    }
  }
}
