package io.belfry.tests.witness;

import java.time.Duration;
import java.time.Instant;

/**
 * What is due begins soon: within one bound while nothing is disturbed, within another around a disturbance, where only the time counts in
 * which nothing was away.
 *
 * <p>Threading: confined to one check.
 */
final class LateRule {
  private final Bounds bounds;
  private final Findings findings;
  private final Disturbances disturbances;
  private int quiet;

  LateRule(Disturbances disturbances, Bounds bounds, Findings findings) {
    this.disturbances = disturbances;
    this.bounds = bounds;
    this.findings = findings;
  }

  /** How many were due while all was quiet, and so were held to the shorter bound. */
  int quiet() {
    return quiet;
  }

  void check(String task, Instant due, Instant start) {
    Duration late = Duration.between(due, start);
    boolean isQuiet = disturbances.isQuiet(due, start);
    if (isQuiet) {
      quiet++;
    }
    Duration limit = isQuiet ? bounds.late() : bounds.recovery();
    if (late.compareTo(limit) > 0
        && late.minus(disturbances.away(due, start)).compareTo(limit) > 0) {
      findings.note(
          Verdict.Kind.LATE,
          task + " was due at " + due + " and began at " + start + ", " + late.toMillis()
              + " ms later, of which something was away for "
              + disturbances.away(due, start).toMillis() + " ms");
    }
  }
}
