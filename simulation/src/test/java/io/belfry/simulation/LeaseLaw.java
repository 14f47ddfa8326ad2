package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.store.Change;
import java.time.Duration;

/**
 * I4: when the lease of a worker ends, its code has been told to stop: that is what the margin is for, by clocks that do not run alike.
 *
 * <p>Threading: confined to its world.
 */
final class LeaseLaw implements EngineEar {
  /** How long after a pause a process may take to notice. */
  private static final Duration GRACE = Duration.ofMillis(500);

  private final World world;
  private final Simulation simulation;

  LeaseLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void applied(EngineStep step) {
    if (step.ended() == null || !step.by().equals("engine")) {
      return;
    }
    for (Change change : step.changes()) {
      if (change.key().space().equals(Keys.WORKERS)) {
        simulation.cluster().running(change.key().text()).ifPresent(this::check);
      }
    }
  }

  private void check(SimNode node) {
    world.count("leases that ran out");
    boolean excused = node.standsStill() || world.now() - node.resumedAt() < GRACE.toNanos();
    for (Ledger.Line line : simulation.ledger().live()) {
      if (line.node == node && !line.interrupted && !excused) {
        throw world.violation("I4 who has no lease runs nothing", line + ", and its lease is over");
      }
    }
  }
}
