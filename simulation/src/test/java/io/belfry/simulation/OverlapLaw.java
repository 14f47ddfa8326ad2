package io.belfry.simulation;

import java.time.Duration;
import java.util.List;

/**
 * I4: while one process carries out a task, no other does, unless the first cannot know better: it stands still, has only just gone on,
 * or its code was told to stop and does not listen; or the other stands still between its last look at its lease and the start.
 *
 * <p>Threading: confined to its world.
 */
final class OverlapLaw implements Ledger.Ear {
  private final World world;
  private final long graceNanos;

  /**
   * @param grace how long after a pause a process may take to notice
   */
  OverlapLaw(World world, Duration grace) {
    this.world = world;
    this.graceNanos = grace.toNanos();
  }

  @Override
  public void started(Ledger.Line line, List<Ledger.Line> before) {
    for (Ledger.Line other : before) {
      boolean knows = !excused(other.node) && !line.node.standsStill();
      if (other.live() && !other.interrupted && knows) {
        throw world.violation("I4 one live attempt at a time", line + " started although " + other);
      }
    }
  }

  private boolean excused(SimNode node) {
    return node.standsStill() || world.now() - node.resumedAt() < graceNanos;
  }
}
