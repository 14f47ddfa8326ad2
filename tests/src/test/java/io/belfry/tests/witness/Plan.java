package io.belfry.tests.witness;

import java.time.Duration;
import java.util.List;

/**
 * What a run is to do.
 *
 * @param jobs that fire every second: so many fires in a second, and a few of other rhythms
 * @param fires how many are to be due at least
 * @param faults struck in turn, again and again, and each at least once
 * @param between the end of a fault and the next
 * @param settling how long everything may take to come to rest in the end
 * @param bounds what is soon enough
 */
record Plan(
    int jobs, int fires, List<Fault> faults, Duration between, Duration settling, Bounds bounds) {
  private static final Duration SETTLING = Duration.ofMinutes(2);

  static Plan of(int jobs, int fires, List<Fault> faults, Duration between) {
    return new Plan(jobs, fires, List.copyOf(faults), between, SETTLING, Bounds.USUAL);
  }

  Plan settling(Duration length) {
    return new Plan(jobs, fires, faults, between, length, bounds);
  }

  Plan bounds(Bounds to) {
    return new Plan(jobs, fires, faults, between, settling, to);
  }

  Duration length() {
    return Duration.ofSeconds((long) Math.ceil((double) fires / jobs) + 1);
  }
}
