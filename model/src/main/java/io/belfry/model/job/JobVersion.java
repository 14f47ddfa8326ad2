package io.belfry.model.job;

import io.belfry.model.Check;
import java.time.Instant;

/**
 * What the store knows about a job.
 *
 * @param generation grows with every change, and with every new job under an old id, so that a decision
 *     taken for an older definition is recognised. No two definitions that were ever saved under one id share it
 * @param incarnation the generation with which this job was created: a job that is deleted and created again under the same id is
 *     another incarnation
 */
public record JobVersion(long generation, Instant created, Instant updated, long incarnation) {

  public JobVersion {
    Check.that(
        generation >= 1,
        "generation",
        generation,
        "must be at least 1, because it counts what was saved",
        "Save the job through the API, which counts.");
    Check.that(
        incarnation >= 1 && incarnation <= generation,
        "incarnation",
        incarnation,
        "must be between 1 and the generation (" + generation
            + "), because it is the generation with which the job was created",
        "Save the job through the API, which counts.");
  }

  /** Of a job that was created as the first of its id. */
  public JobVersion(long generation, Instant created, Instant updated) {
    this(generation, created, updated, 1);
  }

  /** A new job, whose id may have belonged to others before. */
  public static JobVersion created(long generation, Instant now) {
    return new JobVersion(generation, now, now, generation);
  }

  public static JobVersion first(Instant now) {
    return created(1, now);
  }

  public JobVersion again(Instant now) {
    return new JobVersion(generation + 1, created, now, incarnation);
  }
}
