package io.belfry.tests.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * I1: nothing is given out before its time, by the clock of whoever gives it out; and what is to be tried again not before its pause is
 * over, by whichever clock that was set.
 *
 * <p>Threading: confined to its world.
 */
final class DueLaw implements EngineEar {
  /** By so much a calendar may be set without anybody's noticing. */
  private static final Duration UNNOTICED = Duration.ofMillis(1_200);

  private static final Duration ROUNDING = Duration.ofMillis(1);

  /** Since when a task waits, and for how long at least if nobody looks at a calendar. */
  private record Wait(int attempts, long since, Duration pause) {}

  private final World world;
  private final Simulation simulation;
  private final Map<String, Wait> waits = new HashMap<>();

  DueLaw(Simulation simulation) {
    this.simulation = simulation;
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
      if (!(change instanceof Change.Put(Entry entry))) {
        waits.remove(id);
        continue;
      }
      Task task = Records.task(entry.value());
      EngineStep.Slot before = step.before(change.key());
      if (task.state() instanceof TaskState.Pending(Instant due)) {
        waits(id, task, due);
      } else if (before != null
          && Records.task(before.value()).state() instanceof TaskState.Pending(Instant due)) {
        givenOut(step, id, due);
      }
    }
  }

  private void waits(String id, Task task, Instant due) {
    Wait known = waits.get(id);
    if (known == null || known.attempts != task.attempts()) {
      Duration pause = task.history()
          .latest()
          .map(EndedAttempt::ended)
          .map(ended -> Duration.between(ended, due))
          .orElse(isForNow(task, due) ? Duration.ZERO : Duration.ofDays(365));
      waits.put(id, new Wait(task.attempts(), world.now(), pause));
    }
  }

  /** Whether it is to begin at once, whatever the calendar says. */
  private static boolean isForNow(Task task, Instant due) {
    boolean byTimetable = task.id().isFire() && due.equals(task.scheduled());
    return due.equals(task.created()) && !byTimetable;
  }

  private void givenOut(EngineStep step, String id, Instant due) {
    world.count("given out");
    Wait wait = waits.get(id);
    if (wait != null) {
      long over = wait.since + wait.pause.minus(UNNOTICED).toNanos();
      if (due.isAfter(latest(step).plus(ROUNDING)) && world.now() < over) {
        throw world.violation(
            "I1 nothing begins before its time",
            step.by() + " gave out " + id + ", due at " + due + ", by " + latest(step) + "; "
                + wait);
      }
    }
  }

  /** What a worker claims was offered by a leader. */
  private Instant latest(EngineStep step) {
    long since = world.now() - SkipLaw.UNDER_WAY.toNanos();
    boolean claimed = step.commits().stream()
        .flatMap(commit -> commit.writes().stream())
        .anyMatch(ClaimLaw::isWordOfAClaim);
    Cluster cluster = simulation.cluster();
    if (!claimed) {
      return cluster.ever(step.by()).map(node -> node.time().latest(since)).orElse(Instant.MAX);
    }
    return cluster.seats().stream()
        .map(Cluster.Seat::node)
        .flatMap(Optional::stream)
        .map(node -> node.time().latest(since))
        .max(Instant::compareTo)
        .orElse(Instant.MAX);
  }
}
