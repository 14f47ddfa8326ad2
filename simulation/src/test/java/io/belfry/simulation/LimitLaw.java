package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.record.Records;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.store.Change;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Of tasks with a limit in common, never more are held than it allows; jobs that queue or replace have a limit of one.
 *
 * <p>Threading: confined to its world.
 */
final class LimitLaw implements EngineEar {
  private final World world;
  private final Map<String, Set<String>> held = new HashMap<>();
  private final Map<String, String> keys = new HashMap<>();

  LimitLaw(Simulation simulation) {
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (change.key().space().equals(Keys.TASKS)) {
        take(change);
      }
    }
    for (Change change : step.changes()) {
      if (change instanceof Change.Put(var entry) && entry.key().space().equals(Keys.TASKS)) {
        check(step, Records.task(entry.value()));
      }
    }
  }

  private void take(Change change) {
    String id = change.key().text();
    Task task = change instanceof Change.Put(var entry) ? Records.task(entry.value()) : null;
    if (isHeld(task)) {
      String key = LeaderSettings.DEFAULT.limitKey().apply(task);
      keys.put(id, key);
      held.computeIfAbsent(key, unused -> new HashSet<>()).add(id);
    } else if (keys.containsKey(id)) {
      held.getOrDefault(keys.remove(id), new HashSet<>()).remove(id);
    }
  }

  private static boolean isHeld(@Nullable Task task) {
    return task != null
        && task.state() instanceof TaskState.Held
        && task.work().limit().concurrency().isPresent();
  }

  private void check(EngineStep step, Task task) {
    if (isHeld(task)) {
      Set<String> together =
          held.getOrDefault(LeaderSettings.DEFAULT.limitKey().apply(task), Set.of());
      if (together.size() > task.work().limit().concurrency().orElseThrow()) {
        throw world.violation(
            "I4 limits are kept", step.by() + " gave out " + task.id() + " beside " + together);
      }
    }
  }
}
