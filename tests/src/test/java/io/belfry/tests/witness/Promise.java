package io.belfry.tests.witness;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What an acknowledged job promises: a fire at every instant of its rhythm, as far as its policy does not say otherwise. All jobs make up
 * for every fire that was missed.
 *
 * @param asked nothing may happen up to this: nobody had asked for the job yet
 * @param from nothing is promised up to and including this: the job was acknowledged then
 * @param until nothing is promised from this on: switching it off was asked for then
 * @param over nothing may happen after this: switching it off was acknowledged then
 */
record Promise(
    String job,
    Rhythm rhythm,
    Policy policy,
    Instant asked,
    Instant from,
    Instant until,
    Instant over) {
  /** What is due shortly before a job is switched off may not have been fired yet, and is taken back with a reason then. */
  private static final Duration TAKING_BACK = Duration.ofSeconds(5);

  /** Of a plain job. */
  Promise(String job, Rhythm rhythm, Instant asked, Instant from, Instant until, Instant over) {
    this(job, rhythm, Policy.PLAIN, asked, from, until, over);
  }

  static Promise open(JobPlan plan, Instant asked, Instant from) {
    return new Promise(
        plan.job(), plan.rhythm(), plan.policy(), asked, from, Instant.MAX, Instant.MAX);
  }

  Promise ending(Instant off, Instant acknowledged) {
    return new Promise(job, rhythm, policy, asked, from, off, acknowledged);
  }

  /** Whether it is a single instant, which has passed: such a job is over by itself. */
  boolean isOver(Instant now) {
    return rhythm instanceof Rhythm.Once(Instant at) && !at.isAfter(now);
  }

  /** How many instants are due before this one. */
  long dueBefore(Instant now) {
    return rhythm.between(from, now).size();
  }

  /** Whether a task of it may have run for this instant. */
  boolean allows(Instant at, Duration clockError) {
    return rhythm.isDue(at) && at.isAfter(asked) && !at.isAfter(latest(clockError));
  }

  private Instant latest(Duration clockError) {
    return over.equals(Instant.MAX) ? over : over.plus(clockError);
  }

  /** Every instant at which it must fire, and those that may have been taken back. */
  List<Instant> due(Instant now) {
    return rhythm.between(from, until.isBefore(now) ? until : now);
  }

  boolean mayTakeBack(Instant at) {
    return !until.equals(Instant.MAX) && !at.isBefore(until.minus(TAKING_BACK));
  }
}
