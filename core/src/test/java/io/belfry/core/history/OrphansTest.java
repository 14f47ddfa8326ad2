package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrphansTest {
  private static final byte[] WORD = {1};
  /** Until every message has been checked again. */
  private static final Duration ROUND = Duration.ofMinutes(5);

  private final Kept kept = new Kept();

  private void messages(String process) {
    List.of(
            Keys.news(process, 0),
            Keys.inbox(process),
            Keys.reports(process, 0),
            Keys.claims(process),
            Keys.workerOrder(process))
        .forEach(key -> kept.put(key, WORD));
  }

  private List<Key> left() {
    return List.of(Keys.NEWS, Keys.INBOXES, Keys.REPORTS, Keys.WORKER_ORDERS).stream()
        .flatMap(space -> kept.all(space).stream())
        .map(Entry::key)
        .toList();
  }

  @Test
  void messages_of_the_dead_go_after_an_hour_and_those_of_the_living_stay() {
    messages("dead~1");
    messages("alive~1");
    kept.put(Keys.node("alive~1"), WORD);
    kept.put(Keys.worker("alive~1"), WORD);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Orphans.UNCHANGED_FOR.minusMinutes(1));
    assertThat(left()).hasSize(10);
    kept.loop.run(ROUND);
    assertThat(left())
        .containsExactlyInAnyOrder(
            Keys.news("alive~1", 0),
            Keys.inbox("alive~1"),
            Keys.reports("alive~1", 0),
            Keys.claims("alive~1"),
            Keys.workerOrder("alive~1"));
  }

  @Test
  void the_hour_begins_anew_when_a_message_has_changed() {
    messages("w~1");
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofMinutes(50));
    kept.put(Keys.news("w~1", 0), WORD);
    kept.loop.run(Duration.ofMinutes(50));
    assertThat(left()).containsExactly(Keys.news("w~1", 0));
    kept.loop.run(Duration.ofMinutes(10).plus(ROUND));
    assertThat(left()).isEmpty();
  }

  @Test
  void whoever_is_not_there_for_a_moment_only_keeps_what_is_old() {
    messages("w~1");
    kept.put(Keys.node("w~1"), WORD);
    kept.put(Keys.worker("w~1"), WORD);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofHours(3));
    for (int i = 0; i < 20; i++) {
      kept.delete(Keys.node("w~1"));
      kept.delete(Keys.worker("w~1"));
      kept.loop.run(Orphans.ABSENT_FOR.dividedBy(2));
      kept.put(Keys.node("w~1"), WORD);
      kept.put(Keys.worker("w~1"), WORD);
      kept.loop.run(Orphans.ABSENT_FOR);
    }
    assertThat(left()).hasSize(5);
  }

  @Test
  void a_worker_that_was_cut_off_for_a_while_finds_the_order_to_drain() {
    messages("w~1");
    kept.put(Keys.worker("w~1"), WORD);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofHours(3));
    kept.delete(Keys.worker("w~1"));
    kept.loop.run(Duration.ofMinutes(15));
    assertThat(left()).contains(Keys.workerOrder("w~1")).doesNotContain(Keys.inbox("w~1"));
    kept.loop.run(Duration.ofMinutes(60));
    assertThat(left()).isEmpty();
  }

  @Test
  void leaders_that_change_more_often_than_hourly_forget_them_all_the_same() {
    messages("w~1");
    for (int i = 0; i < 6; i++) {
      kept.lead(Kept.SETTINGS);
      kept.loop.run(Duration.ofMinutes(15));
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void a_leader_that_looks_less_often_than_it_marks_the_time_forgets_them_too() {
    messages("w~1");
    kept.lead(new RetainSettings(
        Duration.ofDays(7),
        Duration.ofDays(90),
        Duration.ofMinutes(50),
        Duration.ZERO,
        1000,
        RevisionTimes.EVERY.multipliedBy(2)));
    kept.loop.run(Duration.ofHours(12));
    assertThat(left()).isEmpty();
  }

  @Test
  void a_late_copy_does_not_hit_an_owner_that_has_come_back() {
    kept.put(Keys.reports("w~1", 0), WORD);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Orphans.UNCHANGED_FOR.minusMinutes(1));
    kept.faulty.delayNextRequest();
    kept.loop.run(ROUND); // the settler's own second try did it
    assertThat(left()).isEmpty();
    kept.put(Keys.reports("w~1", 0), WORD);
    kept.faulty.deliverDelayed();
    assertThat(left()).containsExactly(Keys.reports("w~1", 0));
  }

  @Test
  void many_are_forgotten_a_page_at_a_time() {
    for (int i = 0; i < 3 * Orphans.KEYS_AT_ONCE; i++) {
      kept.put(Keys.inbox("w~" + i), WORD);
    }
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Orphans.UNCHANGED_FOR.plus(ROUND));
    assertThat(left()).isEmpty();
  }

  @Test
  void an_engine_without_room_lets_them_go_as_well() {
    messages("dead~1");
    messages("alive~1");
    kept.put(Keys.node("alive~1"), WORD);
    kept.put(Keys.worker("alive~1"), WORD);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Orphans.UNCHANGED_FOR.minusMinutes(1));
    assertThat(left()).hasSize(10);
    kept.store.full = true;
    kept.loop.run(Duration.ofMinutes(10));
    assertThat(left()).hasSize(5);
    kept.store.full = false;
    kept.loop.run(Duration.ofHours(3));
    kept.delete(Keys.worker("alive~1"));
    kept.loop.run(Duration.ofMinutes(15));
    assertThat(left())
        .as("the time is marked again, and orders are kept fresh")
        .contains(Keys.workerOrder("alive~1"))
        .doesNotContain(Keys.inbox("alive~1"));
  }
}
