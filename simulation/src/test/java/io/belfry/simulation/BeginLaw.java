package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.Optional;

/**
 * In calm weather, what is given to a worker begins there soon, or is taken or handed back: no attempt lies with a worker that does not
 * know of it.
 *
 * <p>Threading: confined to its world.
 */
final class BeginLaw implements EngineEar {
  /** A heartbeat that does not name it, twice more, and the word that tells it again. */
  private static final Duration SOON = Duration.ofSeconds(6);

  private final World world;
  private final Simulation simulation;
  private final long calmFrom;

  BeginLaw(Simulation simulation, Duration calmFrom) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.calmFrom = calmFrom.toNanos();
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    if (world.now() < calmFrom) {
      return;
    }
    for (Change change : step.changes()) {
      if (change instanceof Change.Put(Entry entry) && entry.key().space().equals(Keys.TASKS)) {
        CoreScenario.DECODER
            .holder(entry.value(), entry.revision())
            .filter(holder -> holder.token() == entry.revision())
            .ifPresent(holder -> world.in(SOON, () -> check(entry.key(), holder)));
      }
    }
  }

  private void check(Key task, Laws.HolderView given) {
    boolean begun =
        simulation.ledger().of(task.text()).stream().anyMatch(line -> line.token == given.token());
    boolean stillHeld = Optional.ofNullable(simulation.engine().state().slots().get(task))
        .flatMap(slot -> CoreScenario.DECODER.holder(slot.value(), slot.revision()))
        .equals(Optional.of(given));
    if (!begun && stillHeld) {
      throw world.violation("I7 what is given out begins", task + " lies with " + given);
    }
  }
}
