package io.belfry.core.fire;

import io.belfry.model.missed.Timetable;
import java.time.Instant;
import java.util.Optional;

/**
 * Limits a timetable to a window. Threading: immutable.
 *
 * @param start the first possible instant
 * @param end the first instant that is no longer possible
 */
record WindowTimetable(Timetable all, Optional<Instant> start, Optional<Instant> end)
    implements Timetable {

  @Override
  public Optional<Instant> next(Instant after) {
    Instant from = start
        .filter(at -> at.isAfter(after) && at.isAfter(Instant.MIN))
        .map(at -> at.minusNanos(1))
        .orElse(after);
    return all.next(from).filter(at -> end.isEmpty() || at.isBefore(end.get()));
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    Instant to = end.filter(at -> at.isBefore(before)).orElse(before);
    return all.previous(to).filter(at -> start.isEmpty() || !at.isBefore(start.get()));
  }
}
