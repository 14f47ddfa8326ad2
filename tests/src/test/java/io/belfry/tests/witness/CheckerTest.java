package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.Verdict.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The checker can fail: each verdict is provoked, and what is allowed is not taken for a fault. */
class CheckerTest extends CheckerCase {
  @Test
  void all_that_was_due_ran_once() {
    allRan();
    assertThat(clean().expected()).isEqualTo(4);
    assertThat(verdict().text()).contains("nothing found in 4");
  }

  @Test
  void one_that_neither_ran_nor_has_a_reason_is_lost() {
    ran(5, 11);
    ran(15, 13);
    ran(20, 14);
    only(Kind.LOST);
  }

  @Test
  void a_reason_is_no_outcome_for_a_job_that_allows_none() {
    ran(5, 11);
    ran(15, 13);
    ran(20, 14);
    skips.put("tick", List.of(new Told.Range(second(10), second(10), "overlap")));
    only(Kind.LOST);
  }

  @Test
  void what_was_due_just_before_the_job_was_switched_off_may_be_taken_back_for_that_reason_only() {
    ran(5, 11);
    ran(10, 12);
    ran(15, 13);
    skips.put("tick", List.of(new Told.Range(second(20), second(20), "disabled")));
    assertThat(clean().skipped()).containsExactly(Map.entry("disabled", 1));
    skips.put("tick", List.of(new Told.Range(second(20), second(20), "too_old")));
    only(Kind.LOST);
  }

  @Test
  void switching_a_job_off_takes_nothing_back_that_was_due_long_before() {
    ran(5, 11);
    ran(15, 13);
    ran(20, 14);
    skips.put("tick", List.of(new Told.Range(second(10), second(10), "disabled")));
    only(Kind.LOST);
  }

  @Test
  void two_outcomes_are_one_too_many() {
    allRan();
    skips.put("tick", List.of(new Told.Range(second(10), second(10), "overlap")));
    only(Kind.DUPLICATE);
  }

  @Test
  void one_attempt_ends_once() {
    allRan();
    end(5, 11, 6, "w1~1");
    only(Kind.DUPLICATE);
  }

  @Test
  void two_accepted_ends_of_a_task_are_one_too_many() {
    firstBegan(5.1, Optional.of(5.2));
    ran(5, 11, 8, 8.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.KILLED, 5.3, 5.3, 7);
    ends.put(fire(5), List.of(new Told.End("succeeded", 7), new Told.End("succeeded", 11)));
    assertThat(verdict().of(Kind.DUPLICATE)).hasSize(1);
    assertThat(verdict().of(Kind.STALE))
        .as("the first was accepted after the second")
        .hasSize(1);
  }

  @Test
  void an_end_that_history_does_not_know_is_a_lie() {
    allRan();
    ends.remove(fire(10));
    only(Kind.LIE);
  }

  @Test
  void an_end_that_history_tells_as_a_failure_is_a_lie() {
    allRan();
    told(fire(10), "failed", 12);
    only(Kind.LIE);
  }

  @Test
  void history_that_tells_of_another_attempt_than_ended_is_a_lie() {
    allRan();
    told(fire(5), Told.End.SUCCEEDED, 10);
    only(Kind.LIE);
  }

  @Test
  void an_end_under_an_old_token_is_stale() {
    allRan();
    start(5, 99, 8, "w2~1");
    befell("w1", Outage.Kind.KILLED, 5.3, 5.3, 7);
    only(Kind.STALE);
  }

  @Test
  void an_accepted_end_that_the_fence_called_stale_is_stale() {
    allRan();
    LedgerLine line = ledger.remove(1);
    ledger.add(new LedgerLine(line.at(), line.entry(), false));
    only(Kind.STALE);
  }

  @Test
  void nothing_begins_before_its_time() {
    ran(5, 11, 4, 4.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    only(Kind.EARLY);
  }

  @Test
  void what_begins_late_while_nothing_is_disturbed_is_late() {
    ran(5, 11, 7.5, 7.6);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    only(Kind.LATE);
  }

  @Test
  void around_a_fault_only_the_time_counts_in_which_nothing_was_away() {
    ran(5, 11, 40, 40.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    strikes.add(new Strike(Fault.F12, Set.of("w1"), second(4), second(15)));
    assertThat(clean().quiet()).isZero();
    ledger.clear();
    ran(5, 11, 46, 46.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    only(Kind.LATE);
  }

  @Test
  void what_was_not_promised_is_a_phantom() {
    allRan();
    ran(7, 15);
    only(Kind.PHANTOM);
  }

  @Test
  void nothing_fires_once_it_is_switched_off() {
    allRan();
    ran(25, 15);
    only(Kind.PHANTOM);
  }

  @Test
  void nothing_fires_before_it_was_asked_for() {
    promise = new Promise("tick", FIVES, second(6), second(6.5), second(22), second(23));
    allRan();
    only(Kind.PHANTOM);
  }

  @Test
  void what_is_left_at_the_end_is_unrecovered() {
    allRan();
    unfinished.add("one-off");
    only(Kind.UNRECOVERED);
  }

  @Test
  void a_term_has_one_leader() {
    allRan();
    leaders.put(1L, List.of("a~1", "a~1"));
    leaders.put(2L, List.of("a~1", "b~1"));
    only(Kind.TWO_LEADERS);
  }

  @Test
  void nothing_is_written_in_a_term_after_the_next_was_won() {
    allRan();
    acts.add(new Act("b~1", 200, 300));
    acts.add(new Act("a~1", 100, 200));
    clean();
    acts.set(1, new Act("a~1", 100, 201));
    only(Kind.TWO_LEADERS);
  }

  @Test
  void a_fence_has_one_owner() {
    allRan();
    acts.add(new Act("a~1", 100, 120));
    acts.add(new Act("b~1", 100, 110));
    only(Kind.TWO_LEADERS);
  }

  @Test
  void a_line_is_read_as_it_was_written() {
    allRan();
    submitRan("submit-1", SUBMIT, 6.7);
    assertThat(ledger)
        .allSatisfy(line -> assertThat(LedgerLine.parse(line.text())).isEqualTo(line));
  }
}
