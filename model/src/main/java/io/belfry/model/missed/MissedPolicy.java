package io.belfry.model.missed;

import io.belfry.model.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The misfire policy: which missed fires are caught up.
 *
 * <p>The rule walks backwards from now, because the newest instants matter most: it takes those that it will
 * fire, then puts the rest into at most two ranges, one of them for instants that are too old. The cost is
 * bounded by {@code maxCount}, the number of instants that are still on time, and the limit on counting a
 * range. It does not grow with the length of the outage.
 *
 * @param policy which missed fires are caught up
 * @param maxAge older fires are skipped as too old
 * @param maxCount with {@code ALL}, at most this many fires are caught up, the newest first
 */
public record MissedPolicy(Policy policy, Duration maxAge, int maxCount) {

  public enum Policy {
    /** No catch-up: only instants that are still on time are fired. */
    SKIP,
    /** Fires once, for the newest missed instant. */
    LAST,
    /** Fires for each missed instant, oldest first. */
    ALL
  }

  public static final int MAX_COUNT = 10_000;
  public static final Duration MAX_AGE = Duration.ofDays(366);
  public static final MissedPolicy DEFAULT =
      new MissedPolicy(Policy.LAST, Duration.ofHours(1), 100);

  public MissedPolicy {
    Check.between(
        "missed.maxAge", maxAge, Duration.ZERO, MAX_AGE, "an older fire is no longer useful");
    Check.between(
        "missed.maxCount", maxCount, 1, MAX_COUNT, "catching up must not delay what is due now");
  }

  /**
   * Divides the instants from {@code first} to {@code now} into fires and skips.
   *
   * @param first the oldest instant that has no outcome yet; due according to the timetable
   * @param grace up to this age an instant is on time and is fired under every policy
   */
  public CatchUp catchUp(Instant first, Instant now, Duration grace, Timetable timetable) {
    if (first.isAfter(now)) {
      return CatchUp.NOTHING;
    }
    Deque<Instant> fire = new ArrayDeque<>();
    Optional<Instant> rest = takeOnTime(fire, first, now, grace, timetable);
    rest = takeMissed(fire, rest, first, now, timetable);
    List<SkippedRange> skipped =
        rest.map(last -> ranges(first, last, now, timetable)).orElse(List.of());
    return new CatchUp(List.copyOf(fire), skipped);
  }

  /** Moves the instants that are on time to {@code fire}. Returns the newest instant that is not on time. */
  private static Optional<Instant> takeOnTime(
      Deque<Instant> fire, Instant first, Instant now, Duration grace, Timetable timetable) {
    Instant onTime = now.minus(grace);
    Optional<Instant> at = newest(first, now.plusNanos(1), timetable);
    while (at.isPresent() && !at.get().isBefore(onTime) && fire.size() < MAX_COUNT) {
      fire.addFirst(at.get());
      at = newest(first, at.get(), timetable);
    }
    return at;
  }

  private Optional<Instant> takeMissed(
      Deque<Instant> fire,
      Optional<Instant> newest,
      Instant first,
      Instant now,
      Timetable timetable) {
    int room = switch (policy) {
      case SKIP -> 0;
      case LAST -> fire.isEmpty() ? 1 : 0;
      case ALL -> maxCount;
    };
    Optional<Instant> at = newest;
    for (; room > 0 && at.isPresent() && !isTooOld(at.get(), now); room--) {
      fire.addFirst(at.get());
      at = newest(first, at.get(), timetable);
    }
    return at;
  }

  /** The skipped ranges from {@code first} to {@code last}: the part that is too old, and the part within {@code maxAge}. */
  private List<SkippedRange> ranges(Instant first, Instant last, Instant now, Timetable timetable) {
    List<SkippedRange> ranges = new ArrayList<>(2);
    Optional<Instant> lastTooOld =
        isTooOld(last, now) ? Optional.of(last) : newest(first, now.minus(maxAge), timetable);
    lastTooOld.ifPresent(
        old -> ranges.add(SkippedRange.counted(timetable, first, old, SkipReason.TOO_OLD)));
    if (!isTooOld(last, now)) {
      Instant from = lastTooOld.flatMap(timetable::next).orElse(first);
      ranges.add(SkippedRange.counted(timetable, from, last, withinAge()));
    }
    return ranges;
  }

  private SkipReason withinAge() {
    return switch (policy) {
      case SKIP -> SkipReason.MISSED;
      case LAST -> SkipReason.SUPERSEDED;
      case ALL -> SkipReason.TOO_MANY;
    };
  }

  private boolean isTooOld(Instant at, Instant now) {
    return at.isBefore(now.minus(maxAge));
  }

  private static Optional<Instant> newest(Instant first, Instant before, Timetable timetable) {
    return timetable.previous(before).filter(at -> !at.isBefore(first));
  }
}
