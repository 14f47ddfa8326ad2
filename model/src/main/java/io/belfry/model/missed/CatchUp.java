package io.belfry.model.missed;

import java.time.Instant;
import java.util.List;

/**
 * The decision about all instants that became due: each of them is either fired or in one skipped range.
 *
 * @param fire to be fired, oldest first
 * @param skipped to be recorded, oldest first
 */
public record CatchUp(List<Instant> fire, List<SkippedRange> skipped) {

  public static final CatchUp NOTHING = new CatchUp(List.of(), List.of());

  public CatchUp {
    fire = List.copyOf(fire);
    skipped = List.copyOf(skipped);
  }
}
