package io.belfry.core.fire;

import java.time.Instant;
import java.util.Set;

/**
 * What a plan has to fit into. Threading: immutable.
 *
 * @param unfinished how many tasks of the job have not ended
 * @param firesMax how many tasks the commit has room for, at least one; what is left comes with the next plan
 * @param made instants of which there is, or was, a task already: somebody asked for it, and it is not made again
 */
public record Situation(int unfinished, int firesMax, Set<Instant> made) {

  public Situation {
    made = Set.copyOf(made);
  }
}
