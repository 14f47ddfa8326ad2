package io.belfry.tests.witness;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A job that a run saves.
 *
 * @param job its id
 */
record JobPlan(String job, Rhythm rhythm, Policy policy) {
  /** All are due at once: more than may run at once. */
  private static final int LIMITED_JOBS = 4;
  /** All are due at once: so many that it shows if they begin at once. */
  private static final int RATED_JOBS = 24;

  private static final int PULLED_JOBS = 2;
  /** When the day ends for the jobs with a calendar: soon after the start, so that short runs see both days. */
  private static final Duration TO_MIDNIGHT = Duration.ofSeconds(20);

  /** So many plain jobs of every second, those of other rhythms, and those of every other policy. */
  static List<JobPlan> all(int everySecond, Instant now) {
    var all = new ArrayList<JobPlan>();
    Rhythms.others(now).forEach((job, rhythm) -> all.add(new JobPlan(job, rhythm, Policy.PLAIN)));
    for (int i = 0; i < everySecond; i++) {
      all.add(new JobPlan("tick-" + i, Rhythms.EVERY_SECOND, Policy.PLAIN));
    }
    all.add(new JobPlan("skip", Rhythms.everySeconds(4), Policy.SKIP));
    all.add(new JobPlan("queue", Rhythms.everySeconds(2), Policy.QUEUE));
    all.add(new JobPlan("replace", Rhythms.everySeconds(3), Policy.REPLACE));
    all.add(new JobPlan("once-at-most", Rhythms.EVERY_SECOND, Policy.AT_MOST_ONCE));
    for (int i = 0; i < LIMITED_JOBS; i++) {
      all.add(new JobPlan("limit-" + i, Rhythms.everySeconds(4), Policy.LIMIT));
    }
    for (int i = 0; i < RATED_JOBS; i++) {
      all.add(new JobPlan("rate-" + i, Rhythms.everySeconds(12), Policy.RATE));
    }
    for (int i = 0; i < PULLED_JOBS; i++) {
      all.add(new JobPlan("pull-" + i, Rhythms.EVERY_SECOND, Policy.PULL));
    }
    all.addAll(onDays(now));
    all.add(new JobPlan("after-thirds", new Rhythm.Following("thirds"), Policy.AFTER));
    return all;
  }

  /** One job that may not fire before a midnight and one that may not fire from it on, in a zone where it is midnight soon. */
  private static List<JobPlan> onDays(Instant now) {
    ZoneId zone = midnightAt(now.plus(TO_MIDNIGHT));
    LocalDate today = LocalDate.ofInstant(now, zone);
    var clock = new Rhythm.Clockwork("*/2 * * * * *", zone, Rhythms.ALL, Rhythms.seconds(2));
    return List.of(
        new JobPlan(
            "from-midnight", new Rhythm.OnDays(clock, "not-today", Set.of(today)), Policy.PLAIN),
        new JobPlan(
            "until-midnight",
            new Rhythm.OnDays(clock, "not-tomorrow", Set.of(today.plusDays(1))),
            Policy.PLAIN));
  }

  /** A zone in which this instant is a midnight. */
  private static ZoneId midnightAt(Instant at) {
    int day = Math.toIntExact(Duration.ofDays(1).toSeconds());
    int sinceMidnight = Math.toIntExact(Math.floorMod(at.getEpochSecond(), (long) day));
    int offset = -sinceMidnight;
    return ZoneOffset.ofTotalSeconds(offset < -day / 2 ? offset + day : offset);
  }
}
