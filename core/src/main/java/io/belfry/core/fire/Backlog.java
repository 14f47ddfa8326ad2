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
 * Caches the due instants of a job that catches up on all missed fires, from one commit to the next. One commit takes only a few of
 * them, and without the cache each plan would ask the timetable for all.
 *
 * <pre>
 *   first                                  now − maxAge     now − grace    now
 *   ──○────○────○────○────○────○────○────○────┼──○────○────○────┼──○───○───┤
 *     └── too old ─────────────┴─ too many ─┘   └── missed ──────┴ on time ┘
 * </pre>
 *
 * <p>Only a cache: without it the plans are the same. Threading: confined to the leader's loop.
 */
public final class Backlog {
  /** The most instants kept; the rest is asked for again. */
  private static final int KEPT_MAX = 2 * MissedPolicy.MAX_COUNT;

  private static final Duration IDLE = Duration.ofMinutes(1);

  private @Nullable FirePlan owner;
  private Instant asked = Instant.EPOCH;
  /** All instants from the first without an outcome to the newest that was due at the last call. */
  private List<Instant> due = new ArrayList<>();

  /** Whether a job with these policies may have more fires to catch up on than one commit takes. */
  static boolean helps(Job job) {
    return job.overlap() == OverlapPolicy.ALLOW && job.missed().policy() == MissedPolicy.Policy.ALL;
  }

  /** Whether no plan has used it for long: its job may be gone. */
  boolean isIdleSince(Instant now) {
    return asked.plus(IDLE).isBefore(now);
  }

  /** How many instants are kept. */
  public int size() {
    return due.size();
  }

  /**
   * Like {@link MissedPolicy#catchUp}, but returns at most {@code room} fires.
   *
   * @param plan the plan that asks; the cache is dropped if it is another one than before
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

  /** Adds the instants that have become due since; false if there are too many. */
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

  /** How many cached instants are before this one. */
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
