package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.Call.Answer;
import io.belfry.tests.witness.Verdict.Kind;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SubmitRuleTest extends CheckerCase {
  @Test
  void an_acknowledged_submit_ends_once() {
    allRan();
    submitted("submit-1", 6, Answer.OK);
    submitRan("submit-1", SUBMIT, 6.1);
    assertThat(clean().expected()).isEqualTo(5);
  }

  @Test
  void an_acknowledged_submit_that_never_ran_is_lost() {
    allRan();
    submitted("submit-1", 6, Answer.OK);
    only(Kind.LOST);
  }

  @Test
  void a_submit_that_history_does_not_know_is_a_lie() {
    allRan();
    submitted("submit-1", 6, Answer.OK);
    submitRan("submit-1", SUBMIT, 6.1);
    ends.remove(SUBMIT);
    only(Kind.LIE);
  }

  @Test
  void two_tasks_of_one_key_are_one_too_many() {
    allRan();
    submitted("submit-1", 6, Answer.UNKNOWN);
    submitted("submit-1", 6.5, Answer.OK);
    submitRan("submit-1", SUBMIT, 6.7);
    submitRan("submit-1", "another", 6.8);
    only(Kind.DUPLICATE);
  }

  @Test
  void a_submit_without_an_answer_counts_once_or_not_at_all() {
    allRan();
    submitted("submit-1", 6, Answer.UNKNOWN);
    submitted("submit-2", 6, Answer.UNKNOWN);
    submitRan("submit-2", SUBMIT, 6.7);
    clean();
  }

  @Test
  void a_submit_that_was_refused_does_not_run() {
    allRan();
    submitted("submit-1", 6, Answer.FAIL);
    submitRan("submit-1", SUBMIT, 6.7);
    only(Kind.PHANTOM);
  }

  @Test
  void what_nobody_submitted_is_a_phantom() {
    allRan();
    submitRan("submit-1", SUBMIT, 6.7);
    only(Kind.PHANTOM);
  }

  @Test
  void a_delayed_submit_does_not_begin_before_its_time() {
    allRan();
    submitted("submit-1", 9, Answer.OK);
    submitRan("submit-1", SUBMIT, 8.5);
    only(Kind.EARLY);
  }

  @Test
  void a_submit_that_was_cancelled_does_not_begin_long_after() {
    allRan();
    submitted("submit-1", 9, Answer.OK);
    asked(Call.What.CANCEL, "submit-1", 9, Answer.OK, Optional.of(SUBMIT), 6);
    submitRan("submit-1", SUBMIT, 9.1);
    only(Kind.LOST);
  }

  @Test
  void a_cancelled_submit_may_begin_while_the_engine_is_slow_and_shortly_after() {
    allRan();
    submitted("submit-1", 9, Answer.OK);
    asked(Call.What.CANCEL, "submit-1", 9, Answer.OK, Optional.of(SUBMIT), 6);
    submitRan("submit-1", SUBMIT, 9.1);
    befell(Outage.ENGINE, Outage.Kind.PAUSED, 5, 5, 7.5);
    clean();
  }

  @Test
  void a_cancelled_submit_does_not_begin_long_after_the_engine_was_slow() {
    allRan();
    submitted("submit-1", 9, Answer.OK);
    asked(Call.What.CANCEL, "submit-1", 9, Answer.OK, Optional.of(SUBMIT), 6);
    submitRan("submit-1", SUBMIT, 9.1);
    befell(Outage.ENGINE, Outage.Kind.PAUSED, 5, 5, 6.5);
    only(Kind.LOST);
  }

  @Test
  void a_submit_that_was_cancelled_is_told_as_cancelled() {
    allRan();
    submitted("submit-1", 9, Answer.OK);
    asked(Call.What.CANCEL, "submit-1", 9, Answer.OK, Optional.of(SUBMIT), 6);
    told(SUBMIT, Told.End.CANCELLED, 0);
    clean();
    ends.remove(SUBMIT);
    only(Kind.LOST);
  }

  @Test
  void an_order_is_read_as_it_was_written() {
    var order = new Order("submit-7", Duration.ofMillis(5100));
    assertThat(Order.parse(order.payload())).contains(order);
    assertThat(Order.parse(order.payload("and so on"))).contains(order);
    assertThat(Order.parse("")).isEmpty();
  }
}
