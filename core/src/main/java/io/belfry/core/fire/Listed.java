package io.belfry.core.fire;

import io.belfry.model.missed.Timetable;
import java.time.Instant;
import java.util.Optional;

/** At most one instant. Threading: immutable. */
record Listed(Optional<Instant> only) implements Timetable {
  static final Listed NOTHING = new Listed(Optional.empty());

  /** Rounded up to whole milliseconds, which task ids use, because firing early would be wrong. */
  static Listed once(Instant at) {
    long millis = Millis.ceil(at);
    return Millis.canNameTask(millis)
        ? new Listed(Optional.of(Instant.ofEpochMilli(millis)))
        : NOTHING;
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return only.filter(at -> at.isAfter(after));
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    return only.filter(at -> at.isBefore(before));
  }
}
