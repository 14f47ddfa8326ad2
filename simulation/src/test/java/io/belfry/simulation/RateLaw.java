package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.record.Records;
import io.belfry.model.job.Rate;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Of tasks with a rate in common, never more are given out within its window than it allows, whoever leads. What counts is when a leader
 * decided it, by its calendar, which may be a little off.
 *
 * <p>Threading: confined to its world.
 */
final class RateLaw implements EngineEar {
  /** By how much the calendars of two nodes differ at most. */
  private static final Duration CALENDARS = Duration.ofMillis(500);

  private final World world;
  /** What was given out under each key: attempts by their instants. */
  private final Map<String, NavigableMap<Instant, Integer>> starts = new HashMap<>();

  private final Map<String, Integer> attempts = new HashMap<>();

  RateLaw(Simulation simulation) {
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (change instanceof Change.Put(var entry) && entry.key().space().equals(Keys.TASKS)) {
        take(step, Records.task(entry.value()));
      }
    }
  }

  private void take(EngineStep step, Task task) {
    if (task.work().limit().rate().isPresent()
        && task.state() instanceof TaskState.Held held
        && isNew(task, held.attempt())) {
      String key = LeaderSettings.DEFAULT.limitKey().apply(task);
      NavigableMap<Instant, Integer> all = starts.computeIfAbsent(key, unused -> new TreeMap<>());
      all.merge(held.attempt().assigned(), 1, Integer::sum);
      check(step, task, all, held.attempt().assigned());
    }
  }

  private boolean isNew(Task task, Attempt attempt) {
    Integer last = attempts.put(task.id().toString(), attempt.number());
    return last == null || last < attempt.number();
  }

  private void check(
      EngineStep step, Task task, NavigableMap<Instant, Integer> all, Instant assigned) {
    Rate rate = task.work().limit().rate().orElseThrow();
    Duration window = SimTime.atLeast(rate.per().length()).minus(CALENDARS);
    // A window that holds this start begins with one of those shortly before it, or with itself.
    for (Instant from :
        all.subMap(assigned.minus(window), false, assigned, true).keySet()) {
      int within = all.subMap(from, true, from.plus(window), false).values().stream()
          .mapToInt(Integer::intValue)
          .sum();
      if (within > rate.count()) {
        throw world.violation(
            "I4 rates are kept",
            step.by() + " gave out " + task.id() + " as one of " + within + " since " + from
                + ", where " + rate + " are allowed");
      }
    }
  }
}
