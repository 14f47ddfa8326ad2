package io.belfry.tests.witness;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What an acknowledged job promises: a fire at every second whose number within the minute leaves this rest. Enumerated second by
 * second; no cron is parsed.
 *
 * @param from nothing is promised up to and including this: the job was acknowledged then
 * @param until nothing is promised from this on: switching it off was asked for then
 * @param over nothing may happen after this: switching it off was acknowledged then
 */
record Promise(String job, int everySeconds, int rest, Instant from, Instant until, Instant over) {

  Promise {
    if (60 % everySeconds != 0 || rest < 0 || rest >= everySeconds) {
      throw new IllegalArgumentException(
          "the interval must divide a minute, and the rest be less than it: " + everySeconds + ", "
              + rest);
    }
  }

  Promise ending(Instant asked, Instant acknowledged) {
    return new Promise(job, everySeconds, rest, from, asked, acknowledged);
  }

  /** How many instants are due before this one. */
  long dueBefore(Instant now) {
    return Math.max(0, now.getEpochSecond() - from.getEpochSecond()) / everySeconds;
  }

  boolean isDue(Instant at) {
    return at.getNano() == 0 && at.getEpochSecond() % 60 % everySeconds == rest;
  }

  /** Every instant at which it must fire. */
  List<Instant> due() {
    var all = new ArrayList<Instant>();
    for (Instant at = Instant.ofEpochSecond(from.getEpochSecond() + 1);
        at.isBefore(until);
        at = at.plusSeconds(1)) {
      if (isDue(at)) {
        all.add(at);
      }
    }
    return all;
  }
}
