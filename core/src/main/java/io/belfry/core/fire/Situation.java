package io.belfry.core.fire;

import java.time.Instant;
import java.util.Set;

/**
 * What a plan has to fit into. Threading: immutable.
 *
 * @param unfinished how many tasks of the job have not ended
 * @param firesMax how many tasks the commit has room for, at least one; what is left comes with the next plan
 * @param made instants of which there is, or was, a task already: somebody asked for it, and it is not made again
 * @param taken instants whose task cannot be made yet: an unfinished one of a job that was deleted has its id
 * @param full whether as many tasks wait in the namespace as may wait: nothing is fired then
 */
public record Situation(
    int unfinished, int firesMax, Set<Instant> made, Set<Instant> taken, boolean full) {

  public Situation {
    made = Set.copyOf(made);
    taken = Set.copyOf(taken);
  }

  public Situation(int unfinished, int firesMax, Set<Instant> made) {
    this(unfinished, firesMax, made, Set.of(), false);
  }
}
