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
import static io.belfry.model.task.Tasks.complete;
import static io.belfry.model.task.Tasks.decide;
import static io.belfry.model.task.Tasks.fail;
import static io.belfry.model.task.Tasks.fresh;
import static io.belfry.model.task.Tasks.refuses;
import static io.belfry.model.task.Tasks.reports;
import static io.belfry.model.task.Tasks.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.Decision.Reason;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What happens when somebody wants a task to end, or speaks after it has ended. */
class TaskEndTest {
  private static final Instant OVERDUE = NOW.plus(TIMEOUT);
  private static final CancelRequest REQUEST = new CancelRequest("ops", "obsolete", NOW);

  @Nested
  class Asked_to_cancel_while_a_worker_has_it {
    @Test
    void it_goes_on_until_the_worker_has_stopped() {
      Task task = asked(running(WORK));
      assertThat(task.stateName()).isEqualTo(StateName.RUNNING);
      assertThat(task.cancel()).contains(REQUEST);
      refuses(decide(task, new Command.Cancel("ops", "again")), Reason.CANCEL_REQUESTED);
    }

    @Test
    void every_other_end_becomes_cancelled() {
      for (Task task : List.of(asked(assigned(WORK)), asked(running(WORK)), asked(running(ONCE)))) {
        for (Command end : List.of(
            fail(CURRENT),
            new Command.TimeOut(CURRENT, TIMEOUT),
            new Command.Rescue(CURRENT, "gone"),
            new Command.HandBack(CURRENT, "drain"))) {
          assertThat(at(task, end, OVERDUE).state())
              .isEqualTo(new TaskState.Cancelled(REQUEST, OVERDUE));
        }
      }
    }

    @Test
    void a_success_that_came_first_stays_a_success() {
      assertThat(after(asked(running(WORK)), complete(CURRENT)).stateName())
          .isEqualTo(StateName.SUCCEEDED);
    }

    @Test
    void it_is_not_begun_any_more() {
      refuses(
          decide(asked(assigned(WORK)), new Command.Start(CURRENT, NOW)), Reason.CANCEL_REQUESTED);
    }
  }

  @Nested
  class Late_words {
    @Test
    void under_an_old_token_change_nothing() {
      for (Task task : List.of(assigned(WORK), running(WORK), asked(running(WORK)))) {
        for (Command report : reports(OLD)) {
          refuses(decide(task, report, OVERDUE), Reason.STALE_TOKEN);
        }
      }
    }

    @Test
    void under_a_token_not_heard_of_say_that_the_reader_is_behind() {
      for (Command report : reports(NEWER)) {
        refuses(decide(running(WORK), report, OVERDUE), Reason.UNKNOWN_TOKEN);
      }
    }

    @Test
    void on_a_task_that_is_over_are_refused() {
      List<Task> over = List.of(
          after(running(WORK), complete(CURRENT)),
          after(running(NO_RETRY), fail(CURRENT)),
          asked(fresh(WORK)),
          after(fresh(WORK), new Command.Skip(SkipReason.CALENDAR)));
      for (Task task : over) {
        for (Token token : List.of(OLD, CURRENT, NEWER)) {
          reports(token)
              .forEach(report -> refuses(decide(task, report, OVERDUE), Reason.ALREADY_FINAL));
        }
        refuses(decide(task, new Command.Assign(NEWER, "w")), Reason.ALREADY_FINAL);
        refuses(decide(task, new Command.Cancel("ops", "late")), Reason.ALREADY_FINAL);
      }
    }
  }
}
