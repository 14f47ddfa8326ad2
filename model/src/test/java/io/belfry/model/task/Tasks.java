package io.belfry.model.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Decision.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Tasks in every situation, reached only by decisions, so that no test begins where no task can be. */
final class Tasks {
  static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  static final Duration TIMEOUT = Duration.ofMinutes(5);
  static final Token OLD = new Token(10);
  static final Token CURRENT = new Token(20);
  static final Token NEWER = new Token(30);

  /** Waits without jitter, so that due times can be told. */
  static final Work WORK =
      Work.of("nightly", ExecutorSpec.local("h")).withRetry(RetryPolicy.DEFAULT.withJitter(false));

  static final Work NO_RETRY = WORK.withRetry(RetryPolicy.NONE);
  static final Work ONCE = WORK.onlyOnce();

  private Tasks() {}

  static Task fresh(Work work) {
    return Task.pending(TaskId.fire(new JobId("nightly"), NOW), work, Priority.NORMAL, NOW, NOW);
  }

  /** One attempt was handed back, so that there is an older token, but no failure. */
  static Task handedBack(Work work) {
    return after(fresh(work), new Command.Assign(OLD, "w0"), new Command.HandBack(OLD, "drain"));
  }

  static Task assigned(Work work) {
    return after(handedBack(work), new Command.Assign(CURRENT, "w1"));
  }

  static Task running(Work work) {
    return after(assigned(work), new Command.Start(CURRENT, NOW));
  }

  static Task asked(Task task) {
    return after(task, new Command.Cancel("ops", "obsolete"));
  }

  static Task retrying(Work work) {
    return after(running(work), fail(CURRENT));
  }

  static Command fail(Token token) {
    return new Command.Fail(token, Optional.of(NOW), Failure.error("boom"));
  }

  static Command complete(Token token) {
    return new Command.Complete(token, NOW, Result.OK);
  }

  static Decision decide(Task task, Command command, Instant now) {
    return TaskLife.decide(task, command, now, new SplittableRandom(1));
  }

  static Decision decide(Task task, Command command) {
    return decide(task, command, NOW);
  }

  /** The task after commands that must all be accepted. */
  static Task after(Task task, Command... commands) {
    Task moved = task;
    for (Command command : commands) {
      moved = at(moved, command, NOW);
    }
    return moved;
  }

  static Task at(Task task, Command command, Instant now) {
    return switch (decide(task, command, now)) {
      case Decision.Accepted accepted -> TaskLife.apply(task, accepted.events());
      case Decision.Refused refused ->
        throw new AssertionError(
            command + " on " + task.state() + " was refused: " + refused.reason());
    };
  }

  /** Everything that may be said about one attempt. */
  static List<Command> reports(Token token) {
    return List.of(
        new Command.Start(token, NOW),
        complete(token),
        fail(token),
        new Command.TimeOut(token, TIMEOUT),
        new Command.Rescue(token, "gone"),
        new Command.HandBack(token, "drain"));
  }

  static void refuses(Decision decision, Reason reason) {
    assertThat(decision).isEqualTo(new Decision.Refused(reason));
  }
}
