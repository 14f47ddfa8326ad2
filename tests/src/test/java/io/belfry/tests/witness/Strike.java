package io.belfry.tests.witness;

import java.time.Instant;
import java.util.Set;

/**
 * A fault that was inflicted.
 *
 * @param targets processes it befell, and {@link Outage#ENGINE}; none when there was nobody to befall
 * @param over everything that it took away was there again
 */
record Strike(Fault fault, Set<String> targets, Instant at, Instant over) {
  Strike {
    targets = Set.copyOf(targets);
  }
}
