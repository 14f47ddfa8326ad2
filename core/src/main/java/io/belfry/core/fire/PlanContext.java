package io.belfry.core.fire;

import java.time.Instant;
import java.util.Set;

/**
 * The constraints for a plan. Threading: immutable.
 *
 * @param unfinished how many tasks of the job have not ended
 * @param firesMax how many tasks fit into the commit, at least one; the rest comes with the next plan
 * @param made instants that have, or had, a task already, by an explicit trigger: they are not fired again
 * @param taken instants whose task cannot be created yet: an unfinished task of a deleted job has its id
 * @param full whether the namespace has reached its limit of pending tasks: then nothing is fired
 */
public record PlanContext(
    int unfinished, int firesMax, Set<Instant> made, Set<Instant> taken, boolean full) {

  public PlanContext {
    made = Set.copyOf(made);
    taken = Set.copyOf(taken);
  }

  public PlanContext(int unfinished, int firesMax, Set<Instant> made) {
    this(unfinished, firesMax, made, Set.of(), false);
  }
}
