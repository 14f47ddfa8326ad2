package io.belfry.store;

/** What became of a commit. */
public sealed interface Outcome {

  /** Applied, by the step of this revision; every key it put now has it. */
  record Done(long revision) implements Outcome {}

  /**
   * Not applied, because this guard, the first of its list that did not hold, did not hold.
   *
   * @param found the revision that stood under the guard's key, {@link Revision#NONE} when there was none
   */
  record Refused(Guard guard, long found) implements Outcome {}

  /** Not applied, because it puts a key under a lease that has ended. */
  record LeaseEnded(long lease) implements Outcome {}
}
