package io.belfry.simulation;

import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.missed.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * I1: a skip has the reason that it says. Too old, missed and the like by the policy of the job and by the age of the instants, overlap
 * only where a task of the job stands, a change only with a change.
 *
 * <p>Threading: confined to its world.
 */
final class SkipLaw {
  private static final String LAW = "I1 a skip its policy allows";
  private static final Duration GRACE = LeaderSettings.DEFAULT.grace();
  private static final Duration ROUNDING = Duration.ofMillis(1);
  /** What was decided may be so long under way, and who decided it may have heard nothing for as long. */
  static final Duration UNDER_WAY = Duration.ofSeconds(12);
  /** A leader that was cut off, or stood still, knows nothing of what has ended meanwhile. */
  private static final Duration CUT_OFF = Duration.ofSeconds(30);
  /** With nothing wrong, the word that a task has ended takes two messages. */
  private static final Duration HEARING = Duration.ofSeconds(1);
  /** Of a hundred that wait, so many may have ended without the leader's knowing. */
  private static final int QUEUE_FULL_MIN = 80;
  /** A commit has room for a hundred outcomes. */
  private static final int OUTCOMES = 95;

  private final World world;
  private final Simulation simulation;
  private final Standing standing;
  private final AskedLaw asked;

  SkipLaw(Simulation simulation, Standing standing, AskedLaw asked) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.standing = standing;
    this.asked = asked;
  }

  /** The skips of a commit that moves the cursor of a job that stays as it is. */
  void moved(
      EngineStep step, Job job, Timetable times, Set<Instant> fires, List<SkippedRange> skips) {
    for (SkippedRange range : skips) {
      boolean may = switch (range.reason()) {
        case OVERLAP -> overlaps(step, job, fires, range);
        case QUEUE_FULL ->
          job.overlap() == OverlapPolicy.QUEUE
              && standing.count(job.id()) + fires.size() >= QUEUE_FULL_MIN;
        case SUPERSEDED ->
          isSuperseded(job, fires, skips, range)
              && (job.overlap() == OverlapPolicy.REPLACE || isOlder(step, range, GRACE));
        case MISSED ->
          job.missed().policy() == MissedPolicy.Policy.SKIP && isOlder(step, range, GRACE);
        case TOO_MANY ->
          job.missed().policy() == MissedPolicy.Policy.ALL
              && isOlder(step, range, GRACE)
              && later(fires, range) + count(skips, range)
                  >= Math.min(OUTCOMES, job.missed().maxCount());
        case TOO_OLD -> isOlder(step, range, job.missed().maxAge());
        case CALENDAR -> !times.next(range.from().minusNanos(1)).equals(Optional.of(range.from()));
        case ID_TAKEN -> job.incarnation() > 1 && standing.stoodWithin(job.id(), CUT_OFF);
        case DISABLED, CHANGED, PENDING_FULL -> false;
      };
      if (!may) {
        throw world.violation(
            LAW,
            step.by() + " skipped " + range + " of " + job.id() + " (" + job.overlap() + ", "
                + job.missed() + "), fired " + fires + ", and "
                + standing.count(job.id()) + " of its tasks stood");
      }
    }
  }

  /** The skips of a commit that changes a job. */
  void edited(
      EngineStep step, Job before, Job after, boolean otherTimes, List<SkippedRange> skips) {
    for (SkippedRange range : skips) {
      boolean may = switch (range.reason()) {
        case DISABLED -> !after.enabled() && before.enabled();
        case CHANGED -> after.enabled() && otherTimes;
        default -> false;
      };
      if (!may) {
        throw world.violation(LAW, step.by() + " skipped " + range + " changing " + before.id());
      }
    }
  }

  private boolean overlaps(EngineStep step, Job job, Set<Instant> fires, SkippedRange range) {
    boolean behindAFire = fires.stream().anyMatch(at -> at.isBefore(range.from()));
    Duration lately =
        simulation.cluster().calm(step.by()).compareTo(UNDER_WAY) > 0 ? HEARING : CUT_OFF;
    return job.overlap() == OverlapPolicy.SKIP
        && (behindAFire || standing.stoodWithin(job.id(), lately));
  }

  /** What stands for it may itself have been skipped, for an overlap. */
  private boolean isSuperseded(
      Job job, Set<Instant> fires, List<SkippedRange> skips, SkippedRange range) {
    return (job.overlap() == OverlapPolicy.REPLACE
            || job.missed().policy() == MissedPolicy.Policy.LAST)
        && (later(fires, range) > 0
            || asked.wasAskedAfter(job.id(), range.to())
            || skips.stream().anyMatch(other -> other.from().isAfter(range.to())));
  }

  private static long later(Set<Instant> fires, SkippedRange range) {
    return fires.stream().filter(at -> at.isAfter(range.to())).count();
  }

  private static int count(List<SkippedRange> skips, SkippedRange range) {
    return skips.stream()
        .filter(other -> other.from().isAfter(range.to()))
        .mapToInt(SkippedRange::count)
        .sum();
  }

  /** By whatever the clock of the writer has said since it can have decided that. */
  private boolean isOlder(EngineStep step, SkippedRange range, Duration age) {
    return simulation
        .cluster()
        .ever(step.by())
        .map(node -> node.time().latest(world.now() - UNDER_WAY.toNanos()))
        .filter(now -> range.to().isAfter(now.minus(age).plus(ROUNDING)))
        .isEmpty();
  }
}
