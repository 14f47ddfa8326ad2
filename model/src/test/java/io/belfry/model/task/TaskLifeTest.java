package io.belfry.model.task;

import static io.belfry.model.task.Tasks.CURRENT;
import static io.belfry.model.task.Tasks.NEWER;
import static io.belfry.model.task.Tasks.NOW;
import static io.belfry.model.task.Tasks.NO_RETRY;
import static io.belfry.model.task.Tasks.OLD;
import static io.belfry.model.task.Tasks.ONCE;
import static io.belfry.model.task.Tasks.TIMEOUT;
import static io.belfry.model.task.Tasks.WORK;
import static io.belfry.model.task.Tasks.after;
import static io.belfry.model.task.Tasks.asked;
import static io.belfry.model.task.Tasks.assigned;
import static io.belfry.model.task.Tasks.at;
import static io.belfry.model.task.Tasks.decide;
import static io.belfry.model.task.Tasks.fail;
import static io.belfry.model.task.Tasks.fresh;
import static io.belfry.model.task.Tasks.handedBack;
import static io.belfry.model.task.Tasks.refuses;
import static io.belfry.model.task.Tasks.reports;
import static io.belfry.model.task.Tasks.retrying;
import static io.belfry.model.task.Tasks.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Priority;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Decision.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TaskLifeTest {
  private static final Instant OVERDUE = NOW.plus(TIMEOUT);
  private static final CancelRequest REQUEST = new CancelRequest("ops", "obsolete", NOW);

  @Nested
  class While_pending {
    @Test
    void it_is_assigned_under_a_newer_token() {
      Task task = after(handedBack(WORK), new Command.Assign(CURRENT, "w1"));
      assertThat(task.state())
          .isEqualTo(new TaskState.Assigned(new Attempt(2, CURRENT, "w1", NOW)));
    }

    @Test
    void it_is_not_assigned_before_it_is_due() {
      refuses(
          decide(fresh(WORK), new Command.Assign(CURRENT, "w"), NOW.minusMillis(1)),
          Reason.NOT_DUE);
      refuses(
          decide(retrying(WORK), new Command.Assign(NEWER, "w"), NOW.plusSeconds(9)),
          Reason.NOT_DUE);
    }

    @Test
    void it_is_not_assigned_under_a_token_that_was_used() {
      refuses(decide(handedBack(WORK), new Command.Assign(OLD, "w")), Reason.STALE_TOKEN);
      refuses(decide(fresh(WORK), new Command.Assign(Token.ZERO, "w")), Reason.STALE_TOKEN);
    }

    @Test
    void it_is_cancelled_at_once() {
      Task task = asked(fresh(WORK));
      assertThat(task.state()).isEqualTo(new TaskState.Cancelled(REQUEST, NOW));
      assertThat(task.attempts()).isZero();
    }

    @Test
    void it_is_skipped_with_the_reason() {
      Task task = after(fresh(WORK), new Command.Skip(SkipReason.OVERLAP));
      assertThat(task.state()).isEqualTo(new TaskState.Skipped(SkipReason.OVERLAP, NOW));
    }

    @Test
    void it_is_not_skipped_after_it_was_tried() {
      refuses(
          decide(retrying(WORK), new Command.Skip(SkipReason.PENDING_FULL)), Reason.ALREADY_TRIED);
      refuses(
          decide(handedBack(WORK), new Command.Skip(SkipReason.PENDING_FULL)),
          Reason.ALREADY_TRIED);
    }

    @Test
    void its_priority_may_change() {
      Task task = after(fresh(WORK), new Command.Reprioritise(Priority.URGENT));
      assertThat(task.priority()).isEqualTo(Priority.URGENT);
      assertThat(task.state()).isEqualTo(new TaskState.Pending(NOW));
    }

    @Test
    void reports_of_earlier_attempts_are_stale_and_of_unheard_ones_unknown() {
      for (Command report : reports(CURRENT)) {
        refuses(decide(retrying(WORK), report), Reason.STALE_TOKEN);
        refuses(decide(fresh(WORK), report), Reason.UNKNOWN_TOKEN);
      }
    }

    @Test
    void with_a_cancel_request_that_came_too_late_for_its_attempt_it_is_not_assigned_again() {
      Task raced = TaskLife.apply(retrying(WORK), new Event.CancelRequested(REQUEST));
      refuses(decide(raced, new Command.Assign(NEWER, "w"), OVERDUE), Reason.CANCEL_REQUESTED);
      assertThat(asked(raced).stateName()).isEqualTo(StateName.CANCELLED);
    }
  }

  @Nested
  class While_assigned {
    @Test
    void it_starts() {
      Task task = after(assigned(WORK), new Command.Start(CURRENT, NOW));
      assertThat(task.state())
          .isEqualTo(new TaskState.Running(new Attempt(2, CURRENT, "w1", NOW), NOW));
    }

    @Test
    void it_started_when_its_code_began_and_not_when_that_is_told() {
      Instant began = NOW.plusMillis(20);
      Task running = at(assigned(WORK), new Command.Start(CURRENT, began), began.plusMillis(500));
      assertThat(running.started()).contains(began);
      Task done =
          at(running, new Command.Complete(CURRENT, began, Result.OK), began.plusMillis(900));
      assertThat(done.history().latest().orElseThrow().took()).contains(Duration.ofMillis(900));
    }

    @Test
    void whatever_a_worker_s_clock_says_it_started_between_being_given_out_and_being_told() {
      Instant told = NOW.plusSeconds(2);
      for (Duration off : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
        Instant began = NOW.plus(off);
        Instant within = off.isNegative() ? NOW : told;
        List<Command> first = List.of(
            new Command.Start(CURRENT, began),
            new Command.Complete(CURRENT, began, Result.OK),
            new Command.Fail(CURRENT, Optional.of(began), Failure.error("boom")));
        for (Command report : first) {
          assertThat(at(assigned(NO_RETRY), report, told).started()).contains(within);
        }
      }
    }

    @Test
    void a_short_task_ends_without_having_said_that_it_began_and_both_are_told() {
      Instant began = NOW.plusMillis(2);
      Instant ended = NOW.plusMillis(5);
      Command complete = new Command.Complete(CURRENT, began, Result.OK);
      assertThat(decide(assigned(WORK), complete, ended))
          .isEqualTo(new Decision.Accepted(
              List.of(new Event.Started(began), new Event.Completed(Result.OK, ended))));
      Task task = at(assigned(WORK), complete, ended);
      assertThat(task.started()).contains(began);
      assertThat(task.history().latest().orElseThrow().took()).contains(Duration.ofMillis(3));
    }

    @Test
    void an_executor_that_rejects_it_before_it_began_ends_it() {
      Failure rejected = Failure.rejected("no handler named h");
      Decision decision =
          decide(assigned(WORK), new Command.Fail(CURRENT, Optional.empty(), rejected));
      assertThat(decision)
          .isEqualTo(new Decision.Accepted(List.of(new Event.Failed(rejected, NOW))));
    }

    @Test
    void it_is_not_given_away_skipped_or_reprioritised() {
      for (Task task : List.of(assigned(WORK), running(WORK))) {
        refuses(decide(task, new Command.Assign(NEWER, "w2")), Reason.ALREADY_ASSIGNED);
        refuses(decide(task, new Command.Skip(SkipReason.OVERLAP)), Reason.ALREADY_ASSIGNED);
        refuses(decide(task, new Command.Reprioritise(Priority.LOW)), Reason.ALREADY_ASSIGNED);
      }
    }

    @Test
    void it_times_out_if_nothing_is_heard_of_it() {
      refuses(
          decide(assigned(WORK), new Command.TimeOut(CURRENT, TIMEOUT.minusMillis(1))),
          Reason.NOT_OVERDUE);
      assertThat(after(assigned(WORK), new Command.TimeOut(CURRENT, TIMEOUT)).stateName())
          .isEqualTo(StateName.RETRYING);
    }
  }

  @Nested
  class While_running {
    @Test
    void it_succeeds() {
      Result result = Result.of(204, "done");
      Task task = after(running(WORK), new Command.Complete(CURRENT, NOW.plusSeconds(9), result));
      assertThat(task.state()).isEqualTo(new TaskState.Succeeded(result, NOW));
      assertThat(task.started())
          .contains(NOW); // what it said when it began counts, not what it says now
      assertThat(task.worker()).contains("w1");
      assertThat(task.retries()).isZero();
    }

    @Test
    void it_does_not_start_twice() {
      refuses(decide(running(WORK), new Command.Start(CURRENT, NOW)), Reason.ALREADY_RUNNING);
    }

    @Test
    void it_times_out_by_a_stopwatch_whatever_calendars_say() {
      for (Duration off : List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1))) {
        Instant ours = NOW.plus(off);
        refuses(
            decide(running(WORK), new Command.TimeOut(CURRENT, TIMEOUT.minusMillis(1)), ours),
            Reason.NOT_OVERDUE);
        Task timedOut = at(running(WORK), new Command.TimeOut(CURRENT, TIMEOUT), ours);
        assertThat(failureOf(timedOut).kind()).isEqualTo(FailureKind.TIMEOUT);
      }
    }
  }

  @Nested
  class After_a_failure {
    @Test
    void it_waits_longer_each_time_and_then_fails_with_its_history() {
      Task task = fresh(WORK);
      Instant now = NOW;
      for (int n = 1; n <= 3; n++) {
        task =
            at(at(task, new Command.Assign(new Token(n), "w" + n), now), fail(new Token(n)), now);
        Instant due = now.plusSeconds(10L << (n - 1));
        assertThat(task.state()).isEqualTo(new TaskState.Pending(due));
        assertThat(task.stateName()).isEqualTo(StateName.RETRYING);
        assertThat(task.retries()).isEqualTo(n);
        now = due;
      }
      task = at(at(task, new Command.Assign(new Token(4), "w4"), now), fail(new Token(4)), now);
      assertThat(task.state()).isEqualTo(new TaskState.Failed(Failure.error("boom"), now));
      assertThat(task.attempts()).isEqualTo(4);
      assertThat(task.retries()).isEqualTo(3);
      assertThat(task.history().kept())
          .extracting(e -> e.attempt().worker())
          .containsExactly("w1", "w2", "w3", "w4");
    }

    @Test
    void it_fails_at_once_without_retries() {
      assertThat(after(running(NO_RETRY), fail(CURRENT)).stateName()).isEqualTo(StateName.FAILED);
    }

    @Test
    void it_is_tried_again_only_on_the_named_kinds() {
      var onTimeout = WORK.withRetry(RetryPolicy.DEFAULT.withOn(Set.of(FailureKind.TIMEOUT)));
      assertThat(after(running(onTimeout), fail(CURRENT)).stateName()).isEqualTo(StateName.FAILED);
      assertThat(after(running(onTimeout), new Command.Rescue(CURRENT, "gone")).stateName())
          .isEqualTo(StateName.FAILED);
      assertThat(at(running(onTimeout), new Command.TimeOut(CURRENT, TIMEOUT), OVERDUE)
              .stateName())
          .isEqualTo(StateName.RETRYING);
    }

    @Test
    void waits_are_spread_by_the_chance_given() {
      var spread = WORK.withRetry(RetryPolicy.DEFAULT);
      Task task = after(running(spread), fail(CURRENT));
      assertThat(((TaskState.Pending) task.state()).due())
          .isBetween(NOW.plusSeconds(10), NOW.plusMillis(12_500))
          .isEqualTo(((TaskState.Pending) after(running(spread), fail(CURRENT)).state()).due());
    }
  }

  @Nested
  class When_the_worker_is_lost {
    private final Command rescue = new Command.Rescue(CURRENT, "lease ended");

    @Test
    void it_is_due_again_at_once_and_no_retry_is_used_up() {
      for (Task task : List.of(assigned(NO_RETRY), running(NO_RETRY))) {
        Task rescued = after(task, rescue);
        assertThat(rescued.state()).isEqualTo(new TaskState.Pending(NOW));
        assertThat(rescued.history().lost()).isEqualTo(1);
        assertThat(rescued.history().failed()).isZero();
      }
    }

    @Test
    void a_task_that_takes_its_workers_down_fails_in_the_end() {
      Task task = fresh(NO_RETRY);
      for (int n = 1; n <= 4; n++) {
        assertThat(task.isFinal()).isFalse();
        Token token = new Token(n);
        task = after(
            task,
            new Command.Assign(token, "w" + n),
            new Command.Start(token, NOW),
            new Command.Rescue(token, "x"));
      }
      assertThat(task.stateName()).isEqualTo(StateName.FAILED);
      assertThat(failureOf(task).kind()).isEqualTo(FailureKind.LOST);
    }
  }

  @Nested
  class At_most_once {
    @Test
    void is_rescued_while_only_assigned() {
      assertThat(after(assigned(ONCE), new Command.Rescue(CURRENT, "gone")).state())
          .isEqualTo(new TaskState.Pending(NOW));
    }

    @Test
    void fails_once_it_has_begun() {
      assertThat(after(running(ONCE), new Command.Rescue(CURRENT, "gone")).stateName())
          .isEqualTo(StateName.FAILED);
      assertThat(after(running(ONCE), new Command.HandBack(CURRENT, "drain")).stateName())
          .isEqualTo(StateName.FAILED);
      assertThat(
              at(running(ONCE), new Command.TimeOut(CURRENT, TIMEOUT), OVERDUE).stateName())
          .isEqualTo(StateName.FAILED);
      assertThat(after(running(ONCE), fail(CURRENT)).stateName()).isEqualTo(StateName.FAILED);
    }

    @Test
    void fails_if_the_report_of_the_failure_is_the_first_word_of_its_start() {
      var lost = new Command.Fail(CURRENT, Optional.of(NOW), Failure.lost("connection broke"));
      assertThat(after(assigned(ONCE), lost).stateName()).isEqualTo(StateName.FAILED);
    }

    @Test
    void is_handed_back_while_only_assigned() {
      assertThat(after(assigned(ONCE), new Command.HandBack(CURRENT, "drain")).stateName())
          .isEqualTo(StateName.PENDING);
    }
  }

  @Nested
  class Handed_back_on_drain {
    @Test
    void it_is_due_at_once_and_counts_as_no_retry() {
      for (Task task : List.of(assigned(NO_RETRY), running(NO_RETRY))) {
        Task back = after(task, new Command.HandBack(CURRENT, "drain"));
        assertThat(back.state()).isEqualTo(new TaskState.Pending(NOW));
        assertThat(back.stateName()).isEqualTo(StateName.PENDING);
        assertThat(back.retries()).isZero();
        assertThat(back.attempts()).isEqualTo(2);
      }
    }
  }

  private static Failure failureOf(Task task) {
    var ending = task.history().latest().orElseThrow().ending();
    return ((EndedAttempt.Ending.Failed) ending).failure();
  }
}
