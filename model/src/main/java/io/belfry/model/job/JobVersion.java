package io.belfry.model.job;

import io.belfry.model.Check;
import java.time.Instant;

/**
 * The version of a stored job: its generation and when it was changed.
 *
 * @param generation grows with every change, and with every new job under a reused id, so that a decision
 *     for an older definition is recognized. No two definitions that were ever stored under one id share it
 * @param incarnation the generation with which this job was created. A job that is deleted and created again under the same id is
 *     another incarnation
 */
public record JobVersion(long generation, Instant created, Instant updated, long incarnation) {

  public JobVersion {
    Check.that(
        generation >= 1,
        "generation",
        generation,
        "must be at least 1, because it counts the stored versions",
        "Save the job through the API, which sets it.");
    Check.that(
        incarnation >= 1 && incarnation <= generation,
        "incarnation",
        incarnation,
        "must be between 1 and the generation (" + generation
            + "), because it is the generation with which the job was created",
        "Save the job through the API, which sets it.");
  }

  /** Of a job whose id was never used before. */
  public JobVersion(long generation, Instant created, Instant updated) {
    this(generation, created, updated, 1);
  }

  /** Of a new job, whose id may have been used before. */
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
