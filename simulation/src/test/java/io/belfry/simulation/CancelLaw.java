package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.store.Change;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * I2: a cancel that stands in the store is not forgotten while its task lives, and its task is not begun again.
 *
 * <p>Threading: confined to its world.
 */
final class CancelLaw implements EngineEar, Ledger.Ear {
  private static final String LAW = "I2 no acknowledged cancel is lost";
  /**
   * What a leader sends before it can know may be so long under way: it trusts its lease for 3 s without hearing anything, what it sends
   * then arrives up to 5 s later, and a worker that hears nothing trusts its own lease for 4 s. While the engine is away nothing moves. A
   * leader that was elected on another engine may lead for longer without hearing anything.
   */
  private static final long UNDER_WAY = Duration.ofSeconds(3 + 5 + 4).toNanos();

  private final World world;
  private final Simulation simulation;
  private final Map<String, Long> asked = new HashMap<>();
  /** Tasks that a leader gave out soon after it had been cut off from where they lie. */
  private final Set<String> unheard = new HashSet<>();

  CancelLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    simulation.engine().addEar(this);
    simulation.ledger().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      Key key = change.key();
      if (key.space().equals(Keys.REQUESTS) && key.text().startsWith("c")) {
        String task = key.text().substring(1);
        if (change instanceof Change.Put) {
          asked.putIfAbsent(task, engineTime());
        } else if (livesOn(step, Key.of(Keys.TASKS, task))) {
          throw world.violation(LAW, step.by() + " forgot " + key + ", and its task lives");
        }
      } else if (key.space().equals(Keys.TASKS) && change instanceof Change.Put) {
        wrote(step.by(), key.text());
      }
    }
  }

  private void wrote(String leader, String task) {
    boolean cutOff = simulation.election() != simulation.engine()
        && simulation.cluster().calm(leader).toNanos() < UNDER_WAY;
    if (cutOff) {
      unheard.add(task);
    } else {
      unheard.remove(task);
    }
  }

  private long engineTime() {
    return world.now() - simulation.engine().awayNanos();
  }

  /** Settled by then: what stands there may be newer, but a task that has ended does not come back. */
  private boolean livesOn(EngineStep step, Key task) {
    return simulation.engine().state().slots().containsKey(task)
        && step.commits().stream()
            .flatMap(commit -> commit.writes().stream())
            .noneMatch(write -> write.key().equals(task));
  }

  @Override
  public void started(Ledger.Line line, List<Ledger.Line> before) {
    Long since = asked.get(line.task);
    boolean slept = world.now() - line.node.resumedAt() < UNDER_WAY;
    boolean excused = slept || unheard.contains(line.task);
    if (since != null && engineTime() - since > UNDER_WAY && !excused) {
      throw world.violation(LAW, line + " started long after its cancel, after " + before);
    }
  }
}
