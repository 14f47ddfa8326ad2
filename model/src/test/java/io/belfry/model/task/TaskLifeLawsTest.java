package io.belfry.model.task;

import static io.belfry.model.task.Tasks.NOW;
import static io.belfry.model.task.Tasks.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.Seeds;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Lives at random: any command, at any time, under any token. What must hold, holds after every step. */
class TaskLifeLawsTest {
  private static final int LIVES = 4000;
  private static final int STEPS = 60;

  @Test
  void hold_in_every_life() {
    Set<StateName> seen = EnumSet.noneOf(StateName.class);
    Set<Decision.Reason> reasons = EnumSet.noneOf(Decision.Reason.class);
    Seeds.each(LIVES, random -> {
      Life life = new Life(random);
      for (int step = 0; step < STEPS; step++) {
        life.step();
        seen.add(life.task.stateName());
        reasons.addAll(life.reasons);
      }
    });
    if (System.getProperty("belfry.seed", "").isBlank()) { // one life alone does not see everything
      assertThat(seen).containsExactlyInAnyOrder(StateName.values());
      assertThat(reasons).containsExactlyInAnyOrder(Decision.Reason.values());
    }
  }

  private static final class Life {
    private final RandomGenerator random;
    private final Set<Decision.Reason> reasons = EnumSet.noneOf(Decision.Reason.class);
    private final List<Event> heard = new ArrayList<>();
    private Task task;
    private Instant now = NOW;

    Life(RandomGenerator random) {
      this.random = random;
      this.task = Tasks.fresh(work(random));
    }

    void step() {
      now = now.plusSeconds(random.nextInt(200));
      Command command = command();
      long chance = random.nextLong();
      Decision decision = TaskLife.decide(task, command, now, new SplittableRandom(chance));
      assertThat(decision)
          .as("the same question has the same answer")
          .isEqualTo(TaskLife.decide(task, command, now, new SplittableRandom(chance)));
      switch (decision) {
        case Decision.Refused refused -> reasons.add(refused.reason());
        case Decision.Accepted accepted -> accept(command, accepted.events());
      }
      heard.forEach(
          event -> assertThat(TaskLife.apply(task, event)).as("apply is total").isNotNull());
    }

    private void accept(Command command, List<Event> events) {
      Task before = task;
      task = TaskLife.apply(task, events);
      heard.addAll(events);

      assertThat(before.isFinal()).as("final is final").isFalse();
      assertThat(task.token()).as("tokens only grow").isGreaterThanOrEqualTo(before.token());
      if (command instanceof Command.Report report) {
        assertThat(before.state()).isInstanceOf(TaskState.Held.class);
        assertThat(report.token())
            .as("only the current token changes anything")
            .isEqualTo(before.token());
      }
      if (before.cancel().isPresent()) {
        assertThat(task.stateName())
            .as("after a cancel request there is no other try and no failure")
            .isNotIn(StateName.PENDING, StateName.RETRYING, StateName.FAILED, StateName.SKIPPED);
      }
      attemptsAreBounded();
      theTaskTellsOneStory();
    }

    private void attemptsAreBounded() {
      RetryPolicy retry = task.work().retry();
      History history = task.history();
      long handedBack =
          heard.stream().filter(Event.HandedBack.class::isInstance).count();
      assertThat(history.failed()).isLessThanOrEqualTo(retry.max() + 1);
      assertThat(history.lost()).isLessThanOrEqualTo(retry.rescues() + 1);
      assertThat(task.attempts() - handedBack)
          .isLessThanOrEqualTo(retry.max() + retry.rescues() + 1);
      assertThat(history.kept()).hasSizeLessThanOrEqualTo(History.FIRST_KEPT + History.LAST_KEPT);
      assertThat(history.kept().size() + history.dropped()).isEqualTo(history.total());
      if (task.work().atMostOnce()) {
        assertThat(heard.stream().filter(Event.Started.class::isInstance))
            .as("begun once")
            .hasSizeLessThan(2);
      }
    }

    private void theTaskTellsOneStory() {
      long assigned = heard.stream().filter(Event.Assigned.class::isInstance).count();
      long retried =
          heard.stream().filter(Event.RetryScheduled.class::isInstance).count();
      assertThat((long) task.attempts()).isEqualTo(assigned);
      assertThat((long) task.retries()).isEqualTo(retried);
      assertThat(task.ended().isPresent()).isEqualTo(task.isFinal());
      if (task.state() instanceof TaskState.Held held) {
        assertThat(held.since())
            .as("begun after it was given out, and before it was told")
            .isBetween(held.attempt().assigned(), now);
      }
      for (EndedAttempt ended : task.history().kept()) {
        assertThat(ended.started().orElse(ended.attempt().assigned()))
            .as("begun between being given out and the end")
            .isBetween(ended.attempt().assigned(), ended.ended());
      }
      if (task.state() instanceof TaskState.Skipped) {
        assertThat(task.attempts()).as("skipped means never tried").isZero();
      }
    }

    private Command command() {
      Token token = token();
      return switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5, 6 ->
          new Command.Assign(random.nextInt(4) == 0 ? token : task.token().next(), "w");
        case 7, 8 -> new Command.Start(token, someTime());
        case 9 -> new Command.Complete(token, someTime(), Result.OK);
        case 10, 11, 12 ->
          new Command.Fail(
              token, Seeds.oneOf(random, Optional.of(someTime()), Optional.empty()), failure());
        case 13 -> new Command.TimeOut(token, Duration.ofSeconds(random.nextInt(7200)));
        case 14, 15 -> new Command.Rescue(token, "gone");
        case 16, 17 -> new Command.HandBack(token, "drain");
        case 18 -> new Command.Reprioritise(Seeds.oneOf(random, Priority.values()));
        default -> rare();
      };
    }

    /** What would end most lives before they began. */
    private Command rare() {
      return switch (random.nextInt(6)) {
        case 0 -> new Command.Skip(Seeds.oneOf(random, SkipReason.values()));
        case 1, 2 -> new Command.Cancel("ops", "asked");
        default -> new Command.Start(token(), someTime());
      };
    }

    /** By another clock. */
    private Instant someTime() {
      return now.plusSeconds(random.nextInt(2000) - 1000);
    }

    private Failure failure() {
      FailureKind kind = Seeds.oneOf(random, FailureKind.values());
      boolean rejected = kind == FailureKind.REJECTED && random.nextInt(5) > 0;
      return new Failure(rejected ? FailureKind.ERROR : kind, Result.of(random.nextInt(), "boom"));
    }

    private Token token() {
      long current = task.token().value();
      return switch (random.nextInt(6)) {
        case 0 -> new Token(random.nextLong(current + 1));
        case 1 -> new Token(current + 1 + random.nextInt(3));
        default -> task.token();
      };
    }

    private static Work work(RandomGenerator random) {
      EnumSet<FailureKind> on =
          EnumSet.of(FailureKind.ERROR, FailureKind.TIMEOUT, FailureKind.LOST);
      on.removeIf(unused -> random.nextInt(8) == 0);
      RetryPolicy retry = RetryPolicy.DEFAULT
          .withMax(random.nextInt(9))
          .withDelay(Duration.ofMillis(random.nextInt(60_000)))
          .withOn(on);
      Work work = WORK.withRetry(retry).withTimeout(Duration.ofSeconds(1 + random.nextInt(300)));
      return random.nextInt(4) == 0 ? work.onlyOnce() : work;
    }
  }
}
