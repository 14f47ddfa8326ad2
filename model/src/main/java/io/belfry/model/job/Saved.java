package io.belfry.model.job;

import io.belfry.model.Check;
import java.time.Instant;

/**
 * What the store knows about a job.
 *
 * @param generation grows with every change, and with every new job under an old id, so that a decision
 *     taken for an older definition is recognised
 */
public record Saved(long generation, Instant created, Instant updated) {

  public Saved {
    Check.that(
        generation >= 1,
        "generation",
        generation,
        "must be at least 1, because it counts what was saved",
        "Save the job through the API, which counts.");
  }

  public static Saved first(Instant now) {
    return new Saved(1, now, now);
  }

  public Saved again(Instant now) {
    return new Saved(generation + 1, created, now);
  }
}
