package io.belfry.core.fire;

import io.belfry.model.missed.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The anchor and every whole multiple of the interval after it, by arithmetic. Threading: immutable. */
record EvenTimetable(long anchor, long interval) implements Timetable {

  /** For an explicit start: no instant before it. */
  static EvenTimetable from(Instant start, Duration interval) {
    return new EvenTimetable(Millis.ceil(start), interval.toMillis());
  }

  /** Counted from the first save, which itself has always passed when the timetable is used. */
  static EvenTimetable since(Instant saved, Duration interval) {
    return new EvenTimetable(Millis.floor(saved), interval.toMillis());
  }

  @Override
  public Optional<Instant> next(Instant after) {
    long from = Millis.floor(after);
    return from < anchor ? instant(anchor) : instant(anchor + (steps(from) + 1) * interval);
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    // Whole milliseconds only, so the last one strictly before is the one below the ceiling.
    long to = Millis.ceil(before) - 1;
    return to < anchor ? Optional.empty() : instant(anchor + steps(to) * interval);
  }

  private long steps(long millis) {
    return Math.floorDiv(millis - anchor, interval);
  }

  private static Optional<Instant> instant(long millis) {
    return Millis.canNameTask(millis)
        ? Optional.of(Instant.ofEpochMilli(millis))
        : Optional.empty();
  }
}
