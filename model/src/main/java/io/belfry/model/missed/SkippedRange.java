package io.belfry.model.missed;

import io.belfry.model.Check;
import java.time.Instant;
import java.util.Optional;

/**
 * Consecutive due instants that were skipped for the same reason, as one record.
 *
 * @param from the first skipped instant
 * @param to the last skipped instant
 * @param count how many; a lower bound if not exact
 * @param exact false where counting stopped at {@link #COUNT_MAX}
 */
public record SkippedRange(Instant from, Instant to, int count, boolean exact, SkipReason reason) {

  /** Counting stops here: a larger count would cost time and change no decision. */
  public static final int COUNT_MAX = 10_000;

  public SkippedRange {
    Check.that(
        !to.isBefore(from),
        "to",
        to,
        "must not lie before from, because a range runs forward",
        "Swap the two.");
    Check.between("count", count, 1, COUNT_MAX, "a range is not empty, and counting stops there");
  }

  /** Counts the instants from {@code from} to {@code to}, both of which are due. */
  public static SkippedRange counted(
      Timetable timetable, Instant from, Instant to, SkipReason reason) {
    int count = 1;
    Instant at = from;
    while (at.isBefore(to) && count < COUNT_MAX) {
      at = timetable.next(at).orElse(to);
      count++;
    }
    return new SkippedRange(from, to, count, !at.isBefore(to), reason);
  }

  /** Joins this range with the one that follows it. Empty if their reasons differ, or if the sum exceeds the counting limit. */
  public Optional<SkippedRange> and(SkippedRange next) {
    boolean belong = reason == next.reason
        && exact
        && next.exact
        && count + next.count <= COUNT_MAX
        && next.from.isAfter(to);
    return belong
        ? Optional.of(new SkippedRange(from, next.to, count + next.count, true, reason))
        : Optional.empty();
  }
}
