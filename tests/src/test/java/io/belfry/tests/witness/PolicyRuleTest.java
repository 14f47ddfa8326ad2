package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.LedgerLine.What;
import io.belfry.tests.witness.Verdict.Kind;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each policy allows is not taken for a fault, and what it forbids is found: the four fires lie five seconds apart. */
class PolicyRuleTest extends CheckerCase {
  private void firstTakesUntil(double end) {
    ran(5, 11, 5.1, end);
  }

  @Test
  void skip_accounts_for_a_fire_while_an_earlier_task_ran() {
    under(Policy.SKIP);
    firstTakesUntil(12);
    skipped(10, "overlap");
    ran(15, 13);
    ran(20, 14);
    assertThat(clean().policies()).containsExactly(Map.entry("skipped: overlap", 1));
    assertThat(verdict().expected()).isEqualTo(3);
  }

  @Test
  void skip_without_an_earlier_task_that_ran_loses_the_fire() {
    under(Policy.SKIP);
    firstTakesUntil(7.5);
    skipped(10, "overlap");
    ran(15, 13);
    ran(20, 14);
    only(Kind.LOST);
  }

  @Test
  void skip_accounts_for_no_other_reason() {
    under(Policy.SKIP);
    firstTakesUntil(12);
    skipped(10, "superseded");
    ran(15, 13);
    ran(20, 14);
    only(Kind.LOST);
  }

  @Test
  void skip_forbids_two_at_once() {
    under(Policy.SKIP);
    firstTakesUntil(12);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    only(Kind.OVERLAP);
  }

  @Test
  void a_body_of_a_killed_process_is_over_and_one_that_stood_still_is_excused() {
    under(Policy.SKIP);
    start(5, 7, 5.1, "w2~1");
    befell("w2", Outage.Kind.KILLED, 6, 6, 9);
    ran(5, 11, 9.2, 9.4);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14, 20.1, 20.3);
    clean();
    ledger.clear();
    outages.clear();
    firstBegan(5.1, Optional.of(13.0));
    befell("w2", Outage.Kind.PAUSED, 6, 6, 12.9);
    ran(5, 11, 10.2, 10.4);
    ran(10, 12, 11.1, 11.2);
    ran(15, 13);
    ran(20, 14);
    clean();
  }

  @Test
  void queue_runs_one_after_the_other_in_order_however_late() {
    under(Policy.QUEUE);
    firstTakesUntil(17);
    ran(10, 12, 17.1, 19);
    ran(15, 13, 19.1, 30);
    ran(20, 14, 30.1, 31);
    assertThat(clean().expected()).isEqualTo(4);
  }

  @Test
  void queue_forbids_two_at_once() {
    under(Policy.QUEUE);
    firstTakesUntil(12);
    ran(10, 12, 11.9, 12.5);
    ran(15, 13);
    ran(20, 14);
    only(Kind.OVERLAP);
  }

  @Test
  void queue_keeps_the_order_of_the_instants() {
    under(Policy.QUEUE);
    ran(10, 12, 12, 13);
    ran(5, 11, 14, 14.5);
    ran(15, 13);
    ran(20, 14);
    only(Kind.EARLY);
  }

  @Test
  void queue_is_not_full_while_fewer_than_a_hundred_wait() {
    under(Policy.QUEUE);
    firstTakesUntil(12);
    skipped(10, "queue_full");
    ran(15, 13);
    ran(20, 14);
    only(Kind.LOST);
  }

  @Test
  void queue_is_full_when_a_hundred_wait() {
    promise = new Promise(
        "tick", Rhythms.EVERY_SECOND, Policy.QUEUE, BEGIN, BEGIN, second(120), second(121));
    for (int second = 1; second < 120; second++) {
      if (second == 110) {
        skipped(110, "queue_full");
      } else {
        ran(second, second, 150 + second, 150.5 + second);
      }
    }
    Verdict verdict = verdictUntil(second(200));
    assertThat(verdict.of(Kind.LOST)).as(verdict.text()).isEmpty();
    assertThat(verdict.policies()).containsExactly(Map.entry("skipped: queue full", 1));
    skips.clear();
    skipped(90, "queue_full");
    ran(110, 110, 290, 290.1);
    ledger.removeIf(line -> line.entry().task().equals(fire(90)));
    ends.remove(fire(90));
    assertThat(verdictUntil(second(200)).of(Kind.LOST)).hasSize(1);
  }

  private void replacedAt(double stop) {
    start(5, 11, 5.1, "w1~1");
    stop(5, 11, stop, "w1~1");
    told(fire(5), Told.End.CANCELLED, 11);
    ran(10, 12, stop + 0.1, stop + 0.3);
    ran(15, 13);
    ran(20, 14);
  }

  @Test
  void replace_accounts_for_a_task_that_the_next_fire_cancelled() {
    under(Policy.REPLACE);
    replacedAt(10.2);
    assertThat(clean().policies()).containsExactly(Map.entry("cancelled: replaced", 1));
  }

  @Test
  void replace_cancels_nothing_before_there_is_something_to_take_its_place() {
    under(Policy.REPLACE);
    replacedAt(8);
    ledger.removeIf(line -> line.entry().task().equals(fire(10)));
    ran(10, 12);
    only(Kind.LOST);
  }

  @Test
  void replace_lets_no_task_run_on() {
    under(Policy.REPLACE);
    firstTakesUntil(12.5);
    ran(10, 12, 12.6, 12.8);
    ran(15, 13);
    ran(20, 14);
    only(Kind.LOST);
  }

  @Test
  void replace_begins_when_the_other_is_over() {
    under(Policy.REPLACE);
    replacedAt(10.2);
    ledger.removeIf(line -> line.entry().task().equals(fire(10)));
    ran(10, 12, 10.1, 10.3);
    only(Kind.OVERLAP);
  }

  @Test
  void replace_passes_over_instants_only_when_several_were_missed() {
    under(Policy.REPLACE);
    skipped(5, "superseded");
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    only(Kind.LOST);
    strikes.add(new Strike(Fault.F12, Set.of("w1"), second(3), second(9)));
    assertThat(clean().policies()).containsExactly(Map.entry("skipped: superseded", 1));
  }

  @Test
  void a_limit_holds() {
    under(Policy.LIMIT);
    ran(5, 11, 21, 24);
    ran(10, 12, 21.1, 23);
    ran(15, 13, 23, 25);
    ran(20, 14, 24, 25);
    clean();
    ledger.removeIf(line -> line.entry().task().equals(fire(20)));
    ran(20, 14, 23.9, 25);
    only(Kind.LIMIT);
  }

  /** The tasks were given out within four seconds, three in each, and the last of them at the latest three seconds before its START. */
  private void fifteenBeginWithin(double seconds) {
    promise = new Promise(
        "tick", Rhythms.EVERY_SECOND, Policy.RATE, BEGIN, BEGIN, second(15.5), second(16));
    for (int i = 1; i <= 15; i++) {
      double start = 20 + i * seconds / 15;
      ran(i, i, start, start + 0.1);
    }
  }

  @Test
  void a_rate_holds() {
    fifteenBeginWithin(1.5);
    clean();
    ledger.clear();
    fifteenBeginWithin(1.1);
    only(Kind.LIMIT);
    befell("w1", Outage.Kind.STALLED, 17, 17, 19);
    clean();
  }

  /** A job without limit beside it: each of its fires begins so much later than it is due. */
  private void plainFiresBegin(double late) {
    others.clear();
    ledger.removeIf(line -> line.entry().task().startsWith("plain@"));
    others.add(new Promise(
        "plain", Rhythms.EVERY_SECOND, Policy.PLAIN, BEGIN, BEGIN, second(30.5), second(31)));
    for (int i = 1; i <= 30; i++) {
      String task = "plain@" + second(i);
      ledger.add(Written.fire(What.START, "plain", second(i), 100 + i, second(i + late), "w1~1"));
      ledger.add(
          Written.fire(What.END, "plain", second(i), 100 + i, second(i + late + 0.05), "w1~1"));
      told(task, Told.End.SUCCEEDED, 100 + i);
    }
  }

  @Test
  void a_rate_is_judged_by_how_fast_other_tasks_began_at_that_time() {
    fifteenBeginWithin(3.2);
    clean();
    plainFiresBegin(0.1);
    only(Kind.LIMIT);
    plainFiresBegin(1.2);
    clean();
    ledger.removeIf(line -> line.entry().task().startsWith("tick@"));
    fifteenBeginWithin(5);
    plainFiresBegin(0.1);
    clean();
  }

  @Test
  void at_most_once_may_fail_with_its_process_and_for_no_other_reason() {
    under(Policy.AT_MOST_ONCE);
    start(5, 11, 5.1, "w1~1");
    told(fire(5), Told.End.FAILED, 11);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    only(Kind.LOST);
    befell("w1", Outage.Kind.KILLED, 5.3, 5.3, 7);
    assertThat(clean().policies())
        .containsExactly(Map.entry("at most once: failed with its process", 1));
  }

  @Test
  void at_most_once_never_begins_again_whatever_befell_its_process() {
    under(Policy.AT_MOST_ONCE);
    start(5, 7, 5.1, "w2~1");
    befell("w2", Outage.Kind.KILLED, 5.3, 5.3, 7);
    ran(5, 11, 8, 8.2);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
    only(Kind.DUPLICATE);
  }

  @Test
  void what_is_pulled_is_claimed_once() {
    under(Policy.PULL);
    allRan();
    clean();
    start(5, 7, 5.05, "w2~1");
    assertThat(verdict().of(Kind.DUPLICATE)).isNotEmpty();
  }

  private static final String FOLLOWER = "follower!01h455vb4pex5vsknk084sn02q";
  private static final String ANOTHER = "follower!01h455vb4pex5vsknk084sn02r";

  private void withFollower() {
    others.add(new Promise(
        "follower",
        new Rhythm.Following("tick"),
        Policy.AFTER,
        BEGIN,
        second(6),
        second(22),
        second(23)));
    ran(5, 11); // ended before there was a follower
    ran(10, 12);
    ran(20, 14); // ended so shortly before the end that nothing need follow
    skips.clear();
    promise = new Promise(
        "tick",
        new Rhythm.Clockwork("5,10,20 * * * * *", ZoneOffset.UTC, Rhythms.ALL, Set.of(5, 10, 20)),
        BEGIN,
        BEGIN.plusSeconds(1),
        second(22),
        second(23));
  }

  private void followed(String task, int predecessor, double start) {
    ledger.add(Written.follower(What.START, task, fire(predecessor), 50, second(start)));
    ledger.add(Written.follower(What.END, task, fire(predecessor), 50, second(start + 0.1)));
    told(task, Told.End.SUCCEEDED, 50);
  }

  @Test
  void each_accepted_end_is_followed_once() {
    withFollower();
    followed(FOLLOWER, 10, 10.3);
    assertThat(clean().expected()).isEqualTo(4);
  }

  @Test
  void an_accepted_end_without_a_follower_lost_it() {
    withFollower();
    only(Kind.LOST);
  }

  @Test
  void two_followers_of_one_end_are_one_too_many() {
    withFollower();
    followed(FOLLOWER, 10, 10.3);
    followed(ANOTHER, 10, 10.5);
    only(Kind.DUPLICATE);
  }

  @Test
  void a_follower_does_not_begin_before_its_predecessor_ends() {
    withFollower();
    followed(FOLLOWER, 10, 10.15);
    only(Kind.EARLY);
  }

  @Test
  void a_follower_of_nothing_is_a_phantom() {
    withFollower();
    followed(FOLLOWER, 10, 10.3);
    followed(ANOTHER, 7, 10.5);
    only(Kind.PHANTOM);
  }

  @Test
  void a_day_that_a_calendar_excludes_has_no_fire_and_every_other_has() {
    var fives = (Rhythm.Clockwork) FIVES;
    Instant midnight = Instant.parse("2027-01-01T00:00:12Z");
    ZoneOffset zone = ZoneOffset.ofTotalSeconds(-12);
    var clock = new Rhythm.Clockwork(
        fives.cron(), zone, Rhythms.ALL, Set.of(53, 58, 3, 8, 13)); // those of FIVES in that zone
    promise = new Promise(
        "tick",
        new Rhythm.OnDays(
            clock, "not-before", Set.of(LocalDate.ofInstant(midnight.minusSeconds(1), zone))),
        BEGIN,
        BEGIN.plusSeconds(1),
        second(22),
        second(23));
    ran(15, 13);
    ran(20, 14);
    assertThat(clean().expected()).isEqualTo(2);
    ran(10, 12);
    only(Kind.PHANTOM);
    ledger.clear();
    ends.clear();
    ran(20, 14);
    only(Kind.LOST);
  }
}
