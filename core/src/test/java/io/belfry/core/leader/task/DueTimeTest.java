package io.belfry.core.leader.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Failure;
import io.belfry.model.task.History;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.TaskState;
import io.belfry.model.task.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Nobody waits for a clock that was ahead. */
class DueTimeTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final Work WORK = Work.of("one-off", ExecutorSpec.local("noop"))
      .withRetry(RetryPolicy.DEFAULT.withDelay(PAUSE).withJitter(false));

  private final RandomGenerator random = new SplittableRandom(1);

  private Task made(Instant due, Instant created) {
    return Task.pending(TaskId.oneOff(created, random), WORK, Priority.NORMAL, due, created);
  }

  /** Tried once, and to be tried again, all by this clock. */
  private Task failed(Instant clock) {
    Task held = after(made(clock, clock), new Command.Assign(new Token(7), "w"), clock);
    return after(
        held,
        new Command.Fail(new Token(7), Optional.of(clock), Failure.error("on purpose")),
        clock);
  }

  private Task after(Task task, Command command, Instant now) {
    var accepted = (Decision.Accepted) TaskLife.decide(task, command, now, random);
    return TaskLife.apply(task, accepted.events());
  }

  private static Instant due(Task task) {
    return ((TaskState.Pending) DueTime.byOurClock(task, NOW).state()).due();
  }

  @Test
  void a_retry_waits_for_its_pause_by_whichever_clock_it_was_set() {
    assertThat(due(failed(NOW))).isEqualTo(NOW.plus(PAUSE));
    assertThat(due(failed(NOW.plus(HOUR)))).isEqualTo(NOW.plus(PAUSE));
    assertThat(due(failed(NOW.minus(HOUR)))).isEqualTo(NOW.minus(HOUR).plus(PAUSE));
  }

  @Test
  void what_is_to_begin_at_once_does_so_although_it_was_made_by_a_clock_ahead() {
    assertThat(due(made(NOW.plus(HOUR), NOW.plus(HOUR)))).isEqualTo(NOW);
    assertThat(due(made(NOW.minus(HOUR), NOW))).isEqualTo(NOW.minus(HOUR));
  }

  @Test
  void a_trigger_from_outside_names_an_instant_and_begins_at_once_all_the_same() {
    Instant ahead = NOW.plus(HOUR);
    var outside = new Task(
        TaskId.fire(new JobId("nightly"), Instant.EPOCH),
        WORK,
        Instant.EPOCH,
        ahead,
        Priority.NORMAL,
        Optional.empty(),
        new TaskState.Pending(ahead),
        Optional.empty(),
        History.NONE);
    assertThat(due(outside)).isEqualTo(NOW);
  }

  @Test
  void what_is_for_later_keeps_its_time() {
    assertThat(due(made(NOW.plus(HOUR), NOW))).isEqualTo(NOW.plus(HOUR));
    assertThat(due(made(NOW.plus(HOUR.multipliedBy(2)), NOW.plus(HOUR))))
        .isEqualTo(NOW.plus(HOUR.multipliedBy(2)));
  }

  @Test
  void a_fire_keeps_its_time_whoever_made_it_too_early() {
    Instant at = NOW.plus(HOUR);
    var fire = Task.pending(TaskId.fire(new JobId("nightly"), at), WORK, Priority.NORMAL, at, at);
    assertThat(due(fire)).isEqualTo(at);
  }
}
