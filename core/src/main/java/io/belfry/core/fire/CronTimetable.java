package io.belfry.core.fire;

import io.belfry.model.cron.Cron;
import io.belfry.model.missed.Timetable;
import java.time.Instant;
import java.util.Optional;

/** A cron expression as a timetable. Threading: immutable. */
record CronTimetable(Cron cron) implements Timetable {

  @Override
  public Optional<Instant> next(Instant after) {
    return cron.next(after);
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    return cron.previous(before);
  }
}
