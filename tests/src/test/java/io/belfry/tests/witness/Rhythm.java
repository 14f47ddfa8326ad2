package io.belfry.tests.witness;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * When something is due, twice: as Belfry is told, and as numbers to compare a clock with, second by second. Neither is made from the
 * other, and no expression is parsed.
 */
sealed interface Rhythm {

  /** Only ever asked of whole seconds, because all rhythms here have only those. */
  boolean isDue(Instant at);

  /**
   * At these seconds of these minutes, in every hour of the zone.
   *
   * @param cron as Belfry is told
   */
  record Clockwork(String cron, ZoneId zone, Set<Integer> minutes, Set<Integer> seconds)
      implements Rhythm {
    @Override
    public boolean isDue(Instant at) {
      ZonedDateTime there = at.atZone(zone);
      return there.getNano() == 0
          && minutes.contains(there.getMinute())
          && seconds.contains(there.getSecond());
    }
  }

  /** From a start, and again after each interval. */
  record Steady(Duration every, Instant start) implements Rhythm {
    @Override
    public boolean isDue(Instant at) {
      return !at.isBefore(start) && Duration.between(start, at).toNanos() % every.toNanos() == 0;
    }
  }

  /**
   * Those times of a clockwork that do not lie on an excluded day of its zone.
   *
   * @param calendar the name of the calendar that Belfry is told
   */
  record OnDays(Clockwork clock, String calendar, Set<LocalDate> excluded) implements Rhythm {
    @Override
    public boolean isDue(Instant at) {
      return clock.isDue(at) && !excluded.contains(LocalDate.ofInstant(at, clock.zone()));
    }
  }

  /** No times of its own: after the tasks of another job. */
  record Following(String job) implements Rhythm {
    @Override
    public boolean isDue(Instant at) {
      return false;
    }
  }

  /** A single time. */
  record Once(Instant at) implements Rhythm {
    @Override
    public boolean isDue(Instant other) {
      return other.equals(at);
    }
  }

  /** Strictly between the two, second by second. */
  default List<Instant> between(Instant after, Instant before) {
    var all = new ArrayList<Instant>();
    for (Instant at = Instant.ofEpochSecond(after.getEpochSecond() + 1);
        at.isBefore(before);
        at = at.plusSeconds(1)) {
      if (isDue(at)) {
        all.add(at);
      }
    }
    return all;
  }
}
