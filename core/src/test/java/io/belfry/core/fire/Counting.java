package io.belfry.core.fire;

import io.belfry.model.missed.Timetable;
import java.time.Instant;
import java.util.Optional;

/** Counts how often a timetable is asked. */
final class Counting implements Timetable {
  private final Timetable asked;
  private int count;

  Counting(Timetable asked) {
    this.asked = asked;
  }

  int asked() {
    return count;
  }

  @Override
  public Optional<Instant> next(Instant after) {
    count++;
    return asked.next(after);
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    count++;
    return asked.previous(before);
  }
}
