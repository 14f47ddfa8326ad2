package io.belfry.simulation;

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
  /** What the calendars of those said who offered a task to be claimed: they may be gone by then. */
  private final Map<String, Instant> offered = new HashMap<>();

  DueLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (change.key().space().equals(Keys.OFFERS) && change instanceof Change.Put(Entry offer)) {
        Records.offer(offer.value())
            .items()
            .forEach(item ->
                offered.merge(item.task().toString(), clock(step), (a, b) -> a.isAfter(b) ? a : b));
      }
      if (!change.key().space().equals(Keys.TASKS)) {
        continue;
      }
      String id = change.key().text();
      if (!(change instanceof Change.Put(Entry entry))) {
        waits.remove(id);
        offered.remove(id);
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
      Instant by = isClaim(step) ? offered.getOrDefault(id, Instant.MIN) : clock(step);
      if (due.minus(ROUNDING).isAfter(by) && world.now() < over) {
        throw world.violation(
            "I1 nothing begins before its time",
            step.by() + " gave out " + id + ", due at " + due + ", by " + by + "; " + wait);
      }
    }
  }

  private static boolean isClaim(EngineStep step) {
    return step.commits().stream()
        .flatMap(commit -> commit.writes().stream())
        .anyMatch(ClaimLaw::isWordOfAClaim);
  }

  /** The latest that the calendar of the writer has said since it can have decided that. */
  private Instant clock(EngineStep step) {
    long since = world.now() - SkipLaw.UNDER_WAY.toNanos();
    return simulation
        .cluster()
        .ever(step.by())
        .map(node -> node.time().latest(since))
        .orElse(Instant.MAX);
  }
}
