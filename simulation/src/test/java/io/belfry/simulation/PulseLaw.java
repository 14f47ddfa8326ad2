package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The loop of a live process never ends: a worker keeps trying to have a lease, and a scheduler to lead or to see who does, whatever the
 * engine answers.
 *
 * <p>Threading: confined to its world.
 */
final class PulseLaw implements EngineEar {
  static final String LAW = "I7 the loop of a live process never ends";

  private final World world;
  private final Map<SimNode, Long> last = new LinkedHashMap<>();
  private final Duration silenceMax;
  private final Duration every;

  /**
   * @param silenceMax longer than any lease, and than any time for which a node waits on purpose
   * @param every how often to look
   */
  PulseLaw(Simulation simulation, Duration silenceMax, Duration every) {
    this.world = simulation.world();
    this.silenceMax = silenceMax;
    this.every = every;
    simulation.engine().addEar(this);
    if (simulation.election() != simulation.engine()) {
      simulation.election().addEar(this);
    }
    world.in(every, this::check);
  }

  /** This process has a worker or a scheduler. */
  void watch(SimNode node) {
    last.put(node, world.now());
  }

  @Override
  public void called(SimNode node, Refusals.Call call) {
    if (call == Refusals.Call.RENEW || call == Refusals.Call.GRANT) {
      last.replace(node, world.now());
    }
  }

  @Override
  public void asked(String by, List<Key> keys) {
    if (keys.contains(Keys.LEADER)) {
      last.entrySet().stream()
          .filter(each -> each.getKey().id().equals(by))
          .forEach(each -> each.setValue(world.now()));
    }
  }

  private void check() {
    world.in(every, this::check);
    last.keySet().removeIf(node -> !node.alive());
    last.forEach((node, at) -> {
      long since = Math.max(at, node.resumedAt());
      if (!node.standsStill() && world.now() - since > silenceMax.toNanos()) {
        throw world.violation(
            LAW,
            node.id() + " has called the engine for no lease for "
                + Duration.ofNanos(world.now() - since));
      }
    });
    world.count("pulses");
  }
}
