package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.store.Key;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * I6: what a dead worker held is taken from it in time, and a worker that stopped in order leaves nothing behind that it had begun.
 *
 * <p>Threading: confined to its world.
 */
final class RescueLaw {
  /** Code that goes on for so long after its interruption is not waited for: five seconds by a clock that may be fast. */
  private static final long DEAF_NANOS = 5_000_000L * (1000 - SimTime.DRIFT_PER_MILLE_MAX);

  private final World world;
  private final Simulation simulation;
  private final Set<String> stopping = new HashSet<>();
  private final Set<String> drained = new HashSet<>();

  RescueLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
  }

  /** The process of this worker has been asked to end. */
  void stopping(String worker) {
    stopping.add(worker);
  }

  /** The worker says that it is done. */
  void drained(String worker) {
    drained.add(worker);
    for (Ledger.Line line : simulation.ledger().live()) {
      boolean deaf = line.interrupted && world.now() - line.interruptedAt >= DEAF_NANOS;
      if (line.node.id().equals(worker) && !deaf) {
        throw world.violation("I6 a stopping worker finishes", worker + " left " + line);
      }
    }
    held((key, holder) -> {
      boolean begun = simulation.ledger().of(key.text()).stream()
          .anyMatch(line -> line.node.id().equals(worker) && line.token == holder.token());
      if (holder.worker().equals(worker) && begun) {
        throw world.violation(
            "I6 a stopping worker finishes", worker + " left with " + key + ", which it had begun");
      }
    });
  }

  int drained() {
    return drained.size();
  }

  /** Long enough after the last crash, and after the last stop. */
  void checkRescued() {
    for (String worker : stopping) {
      if (simulation.cluster().running(worker).isPresent()) {
        throw world.violation("I6 a stopping worker finishes", worker + " is still there");
      }
    }
    held((key, holder) -> {
      if (simulation.cluster().running(holder.worker()).isEmpty()) {
        throw world.violation(
            "I6 a dead worker's tasks restart in time", key + " is still held by " + holder);
      }
    });
  }

  private interface Judge {
    void see(Key key, Laws.HolderView holder);
  }

  private void held(Judge judge) {
    for (Map.Entry<Key, EngineStep.Slot> each :
        simulation.engine().state().slots().entrySet()) {
      if (each.getKey().space().equals(Keys.TASKS)) {
        CoreScenario.DECODER
            .holder(each.getValue().value(), each.getValue().revision())
            .ifPresent(holder -> judge.see(each.getKey(), holder));
      }
    }
  }
}
