package io.belfry.tests.witness;

import java.time.Duration;
import java.util.List;

/**
 * What a run is to do.
 *
 * @param jobs that fire every second: so many fires in a second
 * @param fires how many are to be due at least
 * @param faults struck in turn, again and again
 * @param between the end of a fault and the next
 * @param settling how long everything may take to come to rest in the end
 */
record Plan(int jobs, int fires, List<Fault> faults, Duration between, Duration settling) {
  private static final Duration SETTLING = Duration.ofMinutes(2);

  static Plan of(int jobs, int fires, List<Fault> faults, Duration between) {
    return new Plan(jobs, fires, List.copyOf(faults), between, SETTLING);
  }

  Plan settling(Duration length) {
    return new Plan(jobs, fires, faults, between, length);
  }

  Duration length() {
    return Duration.ofSeconds((long) Math.ceil((double) fires / jobs) + 1);
  }
}
