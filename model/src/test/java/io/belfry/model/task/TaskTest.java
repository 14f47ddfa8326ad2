package io.belfry.model.task;

import static io.belfry.model.task.Tasks.CURRENT;
import static io.belfry.model.task.Tasks.NEWER;
import static io.belfry.model.task.Tasks.NOW;
import static io.belfry.model.task.Tasks.OLD;
import static io.belfry.model.task.Tasks.WORK;
import static io.belfry.model.task.Tasks.after;
import static io.belfry.model.task.Tasks.assigned;
import static io.belfry.model.task.Tasks.complete;
import static io.belfry.model.task.Tasks.fail;
import static io.belfry.model.task.Tasks.fresh;
import static io.belfry.model.task.Tasks.retrying;
import static io.belfry.model.task.Tasks.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.WireName;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TaskTest {

  @Nested
  class A_state_name {
    @ParameterizedTest
    @CsvSource({
      "created, PENDING",
      "queued, ASSIGNED",
      "scheduled, ASSIGNED",
      "success, SUCCEEDED",
      "completed, SUCCEEDED",
      "canceled, CANCELLED",
      "Running, RUNNING"
    })
    void is_read_in_the_words_of_others_too(String word, StateName name) {
      assertThat(StateName.parse(word)).isEqualTo(name);
    }

    @ParameterizedTest
    @EnumSource
    void is_read_as_written(StateName name) {
      assertThat(StateName.parse(WireName.of(name))).isEqualTo(name);
    }

    @Test
    void that_does_not_exist_is_refused() {
      assertThatThrownBy(() -> StateName.parse("done"))
          .hasMessageStartingWith(
              "state must be one of pending, retrying, assigned, running, succeeded");
    }

    @Test
    void says_retrying_only_after_a_failed_or_lost_attempt() {
      assertThat(fresh(WORK).stateName()).isEqualTo(StateName.PENDING);
      assertThat(Tasks.handedBack(WORK).stateName()).isEqualTo(StateName.PENDING);
      assertThat(retrying(WORK).stateName()).isEqualTo(StateName.RETRYING);
      assertThat(after(running(WORK), new Command.Rescue(CURRENT, "gone")).stateName())
          .isEqualTo(StateName.RETRYING);
    }
  }

  @Nested
  class A_stamp {
    @Test
    void replaces_the_stand_in_by_the_revision() {
      Task task =
          after(fresh(WORK), new Command.Assign(Token.ZERO.next(), "w")).stamped(new Token(4711));
      assertThat(task.token()).isEqualTo(new Token(4711));
      assertThat(after(task, complete(new Token(4711))).stateName()).isEqualTo(StateName.SUCCEEDED);
    }

    @Test
    void never_goes_back_and_never_touches_anything_else() {
      Task task = assigned(WORK);
      assertThat(task.stamped(OLD)).isEqualTo(task);
      assertThat(running(WORK).stamped(NEWER)).isEqualTo(running(WORK));
      assertThat(fresh(WORK).stamped(NEWER)).isEqualTo(fresh(WORK));
    }
  }

  @Test
  void tells_who_has_it_since_when_and_when_it_ended() {
    assertThat(fresh(WORK).worker()).isEmpty();
    assertThat(assigned(WORK).worker()).contains("w1");
    assertThat(assigned(WORK).started()).isEmpty();
    assertThat(running(WORK).started()).contains(NOW);
    assertThat(running(WORK).ended()).isEmpty();
    assertThat(after(running(WORK), complete(CURRENT)).ended()).contains(NOW);
    assertThat(retrying(WORK).worker()).contains("w1");
  }

  @Test
  void hands_on_the_callers_key_or_else_its_own_id() {
    assertThat(fresh(WORK).idempotencyKey()).isEqualTo("nightly@2027-01-01T00:00:00Z");
    assertThat(fresh(WORK).withKey("order-7").idempotencyKey()).isEqualTo("order-7");
    assertThatThrownBy(() -> fresh(WORK).withKey(""))
        .hasMessageStartingWith("idempotencyKey must not be empty");
  }

  @Nested
  class A_history {
    @Test
    void keeps_the_first_and_the_last_and_counts_the_rest() {
      History history = History.NONE;
      for (int n = 1; n <= 25; n++) {
        history = history.plus(ended(n, Failure.error("boom")));
      }
      assertThat(history.kept())
          .extracting(e -> e.attempt().number())
          .containsExactly(1, 2, 3, 19, 20, 21, 22, 23, 24, 25);
      assertThat(history.total()).isEqualTo(25);
      assertThat(history.dropped()).isEqualTo(15);
      assertThat(history.failed()).isEqualTo(25);
      assertThat(history.token()).isEqualTo(new Token(25));
    }

    @Test
    void counts_lost_workers_apart() {
      History history =
          History.NONE.plus(ended(1, Failure.lost("x"))).plus(ended(2, Failure.timeout("x")));
      assertThat(history.lost()).isEqualTo(1);
      assertThat(history.failed()).isEqualTo(1);
    }

    @Test
    void stays_small_whatever_the_attempts_said() {
      Result talkative =
          new Result(1, "x".repeat(100_000), Payload.json("\"" + "y".repeat(200_000) + "\""));
      History history = History.NONE.plus(ended(1, new Failure(FailureKind.ERROR, talkative)));
      var failed = (EndedAttempt.Ending.Failed) history.latest().orElseThrow().ending();
      assertThat(failed.failure().result().message()).hasSize(1024);
      assertThat(failed.failure().result().data()).isEqualTo(Payload.EMPTY);
      assertThat(talkative.message()).hasSize(4096);
    }

    @Test
    void never_tells_a_negative_time() {
      var skewed = new EndedAttempt(
          new Attempt(1, OLD, "w", NOW),
          Optional.of(NOW.plusSeconds(1)),
          NOW,
          new EndedAttempt.Ending.Succeeded());
      assertThat(skewed.took()).contains(Duration.ZERO);
    }

    private static EndedAttempt ended(int n, Failure failure) {
      Attempt attempt = new Attempt(n, new Token(n), "w", NOW);
      return new EndedAttempt(
          attempt, Optional.of(NOW), NOW, new EndedAttempt.Ending.Failed(failure));
    }
  }

  @Test
  void a_token_is_not_negative() {
    assertThatThrownBy(() -> new Token(-1)).hasMessageStartingWith("token must not be negative");
    assertThat(after(assigned(WORK), fail(CURRENT)).token()).isEqualTo(CURRENT);
  }
}
