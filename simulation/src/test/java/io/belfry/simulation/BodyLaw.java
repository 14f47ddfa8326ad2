package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Payload;
import io.belfry.model.task.Task;
import io.belfry.store.Change;
import io.belfry.store.Key;
import io.belfry.store.Write;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A task keeps its payload for as long as it lives, whoever rewrites it. Counts how often a leader read one back before it gave the task
 * out: what has been tried before, and may have been read for another reason, is left out.
 *
 * <p>Threading: confined to its world.
 */
final class BodyLaw implements EngineEar {
  private final World world;
  private final Map<String, Payload> payloads = new HashMap<>();
  private final Set<String> readBack = new HashSet<>();

  BodyLaw(Simulation simulation) {
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void asked(String by, List<Key> keys) {
    keys.stream()
        .filter(key -> key.space().equals(Keys.TASKS))
        .map(Key::text)
        .filter(id -> !payloads.getOrDefault(id, Payload.EMPTY).isEmpty())
        .forEach(id -> readBack.add(by + " " + id));
  }

  private static boolean isGivenOut(EngineStep step, Key task) {
    return step.commits().stream()
        .map(commit -> commit.writes().stream().map(Write::key).toList())
        .anyMatch(keys ->
            keys.contains(task) && keys.stream().anyMatch(key -> key.space().equals(Keys.INBOXES)));
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (!change.key().space().equals(Keys.TASKS)) {
        continue;
      }
      String id = change.key().text();
      if (change instanceof Change.Put(var entry)) {
        Task task = Records.task(entry.value());
        if (readBack.remove(step.by() + " " + id)
            && task.attempts() == 1
            && isGivenOut(step, change.key())) {
          world.count("slim reads");
        }
        Payload now = task.work().payload();
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
