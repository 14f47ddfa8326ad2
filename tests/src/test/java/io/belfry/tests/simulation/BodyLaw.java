package io.belfry.tests.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Payload;
import io.belfry.store.Change;
import java.util.HashMap;
import java.util.Map;

/**
 * A task keeps its payload for as long as it lives, whoever rewrites it.
 *
 * <p>Threading: confined to its world.
 */
final class BodyLaw implements EngineEar {
  private final World world;
  private final Map<String, Payload> payloads = new HashMap<>();

  BodyLaw(Simulation simulation) {
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (!change.key().space().equals(Keys.TASKS)) {
        continue;
      }
      String id = change.key().text();
      if (change instanceof Change.Put(var entry)) {
        Payload now = Records.task(entry.value()).work().payload();
        Payload before = payloads.putIfAbsent(id, now);
        if (before != null && !before.equals(now)) {
          throw world.violation(
              "I2 nothing acknowledged is lost",
              step.by() + " made " + now + " of " + before + " in " + id);
        }
      } else {
        payloads.remove(id);
      }
    }
  }
}
