package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long the logs of attempts are kept, by age and by size. */
class LogTrimmingTest {
  private static final Duration WHILE = Duration.ofMinutes(2);
  private final Kept kept = new Kept();

  @Test
  void logs_go_as_long_after_their_last_line_as_their_tasks_are_kept() {
    kept.job("brief", Duration.ofHours(2));
    TaskId brief = TaskId.fire(new JobId("brief"), Kept.START);
    TaskId plain = TaskId.parse("plain");
    kept.log(brief, Kept.START, 100);
    kept.log(plain, Kept.START, 100);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofMinutes(119));
    assertThat(kept.logged()).containsExactly(brief, plain);
    kept.loop.run(WHILE);
    assertThat(kept.logged()).containsExactly(plain);
    assertThat(kept.get(Keys.logPiece(brief, 1, 2))).isEmpty();
    assertThat(kept.get(Keys.logPiece(plain, 1, 2))).isPresent();
    kept.crash();
    kept.time.advance(Duration.ofDays(7));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.logged()).isEmpty();
    assertThat(kept.get(Keys.logPiece(plain, 1, 0))).isEmpty();
  }

  @Test
  void while_all_logs_together_weigh_too_much_the_oldest_go() {
    for (int i = 0; i < 4; i++) {
      kept.log(TaskId.parse("t" + i), Kept.START.minusSeconds(i), 400L << 20);
    }
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.logged()).containsExactly(TaskId.parse("t0"), TaskId.parse("t1"));
  }

  @Test
  void while_far_too_many_logs_are_there_all_of_the_surplus_goes_at_once() {
    int logs = 5_000;
    for (int i = 0; i < logs; i++) {
      kept.log(TaskId.parse("t%04d".formatted(i * 7 % logs)), Kept.START.minusSeconds(i), 1L << 20);
    }
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofSeconds(11)); // one look
    assertThat(kept.logged().size()).isBetween(7 * 1024 / 8 - 70, 1024);
    List<Instant> left = kept.all(Keys.LOG_HEADS).stream()
        .map(entry -> Records.logHead(entry.value()).last())
        .sorted()
        .toList();
    // The oldest went, to within a sixteenth of their age.
    assertThat(left.getFirst()).isAfter(Kept.START.minusSeconds(logs / 4));
    assertThat(left.getLast()).isEqualTo(Kept.START);
  }

  @Test
  void logs_that_say_little_weigh_something_too() {
    var settings = Kept.SETTINGS.keeping(
        Duration.ofDays(7), Duration.ofDays(90), Duration.ofDays(7), 1L << 20);
    for (int i = 0; i < 5_000; i++) {
      kept.log(TaskId.parse("t" + i), Kept.START.minusSeconds(i), 1);
    }
    kept.lead(settings);
    kept.loop.run(Duration.ofSeconds(11));
    assertThat(kept.logged().size()).isLessThanOrEqualTo((1 << 20) / LogTrimming.WEIGHT_BESIDE);
  }

  @Test
  void thousands_of_logs_a_second_are_forgotten_as_fast_and_only_what_there_is_of_them() {
    for (int i = 0; i < 20_000; i++) {
      kept.log(TaskId.parse("t" + i), Kept.START.minus(Duration.ofDays(8)), 100);
    }
    kept.lead(Kept.SETTINGS);
    kept.store.forget();
    kept.loop.run(Duration.ofSeconds(11));
    assertThat(kept.logged()).isEmpty();
    // Four writes for each: its head and three pieces.
    assertThat(kept.store.commits).isLessThanOrEqualTo(20_000 * 4 / 100 + 20);
  }

  @Test
  void logs_are_kept_as_long_as_the_settings_say() {
    kept.log(TaskId.parse("t"), Kept.START, 100);
    kept.lead(Kept.SETTINGS.keeping(
        Duration.ofDays(7), Duration.ofDays(90), Duration.ofHours(1), 1L << 30));
    kept.loop.run(Duration.ofMinutes(59));
    assertThat(kept.logged()).hasSize(1);
    kept.loop.run(WHILE);
    assertThat(kept.logged()).isEmpty();
  }
}
