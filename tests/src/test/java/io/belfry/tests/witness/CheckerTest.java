package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.LedgerLine.What;
import io.belfry.tests.witness.Verdict.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker can fail: each verdict is provoked once. */
class CheckerTest {
  private static final Instant BEGIN = Instant.parse("2027-01-01T00:00:00Z");
  private static final Promise PROMISE =
      new Promise("tick", 5, 0, BEGIN, BEGIN.plusSeconds(16), BEGIN.plusSeconds(17));
  private static final String FIRST = "tick@2027-01-01T00:00:05Z";

  private final List<LedgerLine> ledger = new ArrayList<>();
  private final Map<String, List<Told.End>> ends = new HashMap<>();
  private final Map<String, List<Told.Range>> skips = new HashMap<>();
  private final Map<Long, List<String>> leaders = new HashMap<>();
  private final List<String> unfinished = new ArrayList<>();

  private void ran(int second, long token) {
    Instant at = BEGIN.plusSeconds(second);
    String task = "tick@" + at;
    line(What.START, task, token, at.plusMillis(3));
    line(What.END, task, token, at.plusMillis(9));
    ends.put(task, List.of(new Told.End(true, token)));
  }

  private void line(What what, String task, long token, Instant at) {
    ledger.add(new LedgerLine(at, what, task, 1, token, "w1~1", 17, true));
  }

  private void allRan() {
    ran(5, 11);
    ran(10, 12);
    ran(15, 13);
  }

  private Verdict verdict() {
    return Checker.check(
        ledger::forEach,
        List.of(PROMISE),
        new Told(ends, unfinished, skips, leaders),
        Duration.ofMillis(50));
  }

  private void only(Kind kind) {
    Verdict verdict = verdict();
    for (Kind each : Kind.values()) {
      assertThat(verdict.of(each)).as(verdict.text()).hasSize(each == kind ? 1 : 0);
    }
  }

  @Test
  void all_that_was_due_ran_once() {
    allRan();
    Verdict verdict = verdict();
    assertThat(verdict.clean()).as(verdict.text()).isTrue();
    assertThat(verdict.expected()).isEqualTo(3);
    assertThat(verdict.ran()).isEqualTo(3);
    assertThat(verdict.text()).contains("nothing found in 3");
  }

  @Test
  void one_that_neither_ran_nor_has_a_reason_is_lost() {
    ran(5, 11);
    ran(15, 13);
    only(Kind.LOST);
  }

  @Test
  void a_reason_is_an_outcome() {
    ran(5, 11);
    ran(15, 13);
    skips.put(
        "tick", List.of(new Told.Range(BEGIN.plusSeconds(10), BEGIN.plusSeconds(10), "overlap")));
    assertThat(verdict().clean()).isTrue();
    assertThat(verdict().skipped()).containsExactly(Map.entry("overlap", 1));
  }

  @Test
  void two_outcomes_are_one_too_many() {
    allRan();
    skips.put(
        "tick", List.of(new Told.Range(BEGIN.plusSeconds(10), BEGIN.plusSeconds(10), "overlap")));
    only(Kind.DUPLICATE);
  }

  @Test
  void one_attempt_ends_once() {
    allRan();
    line(What.END, FIRST, 11, BEGIN.plusSeconds(6));
    only(Kind.DUPLICATE);
  }

  @Test
  void two_accepted_ends_of_a_task_are_one_too_many() {
    line(What.START, FIRST, 7, BEGIN.plusSeconds(5));
    line(What.END, FIRST, 7, BEGIN.plusSeconds(5));
    allRan();
    ends.put(FIRST, List.of(new Told.End(true, 7), new Told.End(true, 11)));
    only(Kind.DUPLICATE);
  }

  @Test
  void a_late_end_that_was_not_accepted_is_counted_and_no_fault() {
    line(What.START, FIRST, 7, BEGIN.plusSeconds(5));
    allRan();
    line(What.END, FIRST, 7, BEGIN.plusSeconds(9));
    assertThat(verdict().clean()).as(verdict().text()).isTrue();
    assertThat(verdict().lateEnds()).isEqualTo(1);
  }

  @Test
  void a_rerun_after_a_lost_worker_is_counted_and_no_fault() {
    line(What.START, FIRST, 7, BEGIN.plusSeconds(5));
    allRan();
    assertThat(verdict().clean()).as(verdict().text()).isTrue();
    assertThat(verdict().reruns()).isEqualTo(1);
  }

  @Test
  void an_end_under_an_old_token_is_stale() {
    allRan();
    line(What.START, FIRST, 99, BEGIN.plusSeconds(6));
    only(Kind.STALE);
  }

  @Test
  void nothing_begins_before_its_time() {
    allRan();
    ledger.set(0, new LedgerLine(BEGIN.plusSeconds(4), What.START, FIRST, 1, 11, "w1~1", 17, true));
    only(Kind.EARLY);
  }

  @Test
  void what_was_not_promised_is_a_phantom() {
    allRan();
    ran(7, 14);
    only(Kind.PHANTOM);
  }

  @Test
  void nothing_fires_once_it_is_switched_off() {
    allRan();
    ran(20, 14);
    only(Kind.PHANTOM);
  }

  @Test
  void history_that_tells_what_did_not_happen_is_a_lie() {
    allRan();
    ends.put(FIRST, List.of(new Told.End(true, 10)));
    Verdict verdict = verdict();
    assertThat(verdict.of(Kind.LIE)).hasSize(1);
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
  void a_line_is_read_as_it_was_written() {
    allRan();
    assertThat(ledger)
        .allSatisfy(line -> assertThat(LedgerLine.parse(line.text())).isEqualTo(line));
  }
}
