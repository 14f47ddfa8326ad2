package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.Call.Answer;
import io.belfry.tests.witness.LedgerLine.What;
import io.belfry.tests.witness.Verdict.Kind;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RerunRuleTest extends CheckerCase {
  @Test
  void a_second_start_is_one_too_many_if_nothing_befell_the_first() {
    firstBegan(5.1, Optional.empty());
    ran(5, 11, 6, 6.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w3", Outage.Kind.KILLED, 5.3, 5.3, 7);
    only(Kind.DUPLICATE);
  }

  @Test
  void a_second_start_after_a_kill_is_counted_and_no_fault() {
    firstBegan(5.1, Optional.empty());
    ran(5, 11, 8, 8.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.KILLED, 5.3, 5.3, 7);
    assertThat(clean().reruns()).containsExactly(Map.entry("killed", 1));
  }

  @Test
  void a_kill_long_after_the_end_excuses_no_second_start() {
    firstBegan(5.1, Optional.of(5.2));
    ran(5, 11, 12, 12.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.KILLED, 9, 9, 11);
    only(Kind.DUPLICATE);
  }

  @Test
  void a_process_that_is_stopped_in_good_order_leaves_nothing_to_be_begun_again() {
    firstBegan(5.1, Optional.empty());
    ran(5, 11, 8, 8.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.STOPPED, 5.3, 6, 7);
    only(Kind.DUPLICATE);
  }

  @Test
  void a_process_that_is_stopped_hands_back_what_is_not_done_when_its_time_is_over() {
    firstBegan(5.1, Optional.empty());
    ran(5, 11, 15.5, 15.6);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.STOPPED, 5.3, 15.4, 17);
    assertThat(clean().reruns()).containsExactly(Map.entry("stopped", 1));
  }

  @Test
  void two_at_once_are_excused_by_a_pause_and_the_late_end_is_counted() {
    firstBegan(5.1, Optional.empty());
    ran(5, 11, 10, 10.1);
    end(5, 7, 17.2, "w2~1");
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.PAUSED, 5.15, 5.15, 17.1);
    assertThat(clean().reruns()).containsExactly(Map.entry("paused", 1));
    assertThat(verdict().lateEnds()).isEqualTo(1);
  }

  @Test
  void two_at_once_are_not_excused_by_a_kill() {
    firstBegan(5.1, Optional.of(9.0));
    ran(5, 11, 8, 8.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.KILLED, 5.3, 5.3, 7);
    only(Kind.DUPLICATE);
  }

  @Test
  void a_pause_shorter_than_a_lease_excuses_nothing() {
    firstBegan(5.1, Optional.empty());
    ran(5, 11, 8, 8.1);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.PAUSED, 5.3, 5.3, 6.3);
    only(Kind.DUPLICATE);
  }

  @Test
  void what_a_process_had_begun_before_it_stood_still_may_start_when_it_wakes_up_and_stop() {
    firstBegan(17.15, Optional.empty());
    stop(5, 7, 17.16, "w2~1");
    ran(5, 11, 17.3, 17.4);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.PAUSED, 5, 5, 17.1);
    assertThat(clean().reruns()).containsExactly(Map.entry("paused", 1));
  }

  @Test
  void what_starts_long_after_its_process_stood_still_is_not_begun_again() {
    firstBegan(17.7, Optional.empty());
    stop(5, 7, 17.75, "w2~1");
    ran(5, 11, 17.8, 17.9);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    befell("w2", Outage.Kind.PAUSED, 5, 5, 17.1);
    only(Kind.DUPLICATE);
  }

  @Test
  void a_task_that_lost_its_process_four_times_may_fail() {
    allRan();
    submitted("submit-1", 6, Answer.OK);
    for (int i = 0; i < 4; i++) {
      ledger.add(Written.submit(What.START, "submit-1", SUBMIT, 50 + i, second(7 + 3 * i)));
      befell("w1", Outage.Kind.KILLED, 8 + 3 * i, 8 + 3 * i, 9 + 3 * i);
    }
    told(SUBMIT, "failed", 53);
    assertThat(clean().givenUp()).isEqualTo(1);
    outages.removeLast();
    only(Verdict.Kind.LOST);
  }

  @Test
  void a_worker_that_was_cut_off_may_lose_its_task_but_stops_its_body_before_another_begins() {
    firstBegan(5.1, Optional.empty());
    stop(5, 7, 8.3, "w2~1");
    befell("w2", Outage.Kind.CUT, 5.3, 5.3, 15);
    ran(5, 11, 9.5, 9.6);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    assertThat(clean().reruns()).containsExactly(Map.entry("cut", 1));
    ledger.removeIf(line -> line.entry().what() == LedgerLine.What.STOP);
    stop(5, 7, 9.55, "w2~1");
    only(Kind.DUPLICATE);
  }
}
