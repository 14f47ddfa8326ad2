package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rollups of a job take bounded space: by the hour for a week, then by the day. */
class RollupTrimmingTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant TODAY = Kept.START.truncatedTo(ChronoUnit.DAYS);
  private static final Duration A_ROUND = Duration.ofSeconds(31);

  private final Kept kept = new Kept();

  private static long hour(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), 3600);
  }

  /** This many tasks of a job ended in that hour. */
  private void ended(String job, Instant in, int count) {
    var rollup = new Rollup();
    for (int i = 0; i < count; i++) {
      rollup.add(kept.succeeded(TaskId.fire(new JobId("x"), in), "w~1", in.plusMillis(i)));
    }
    kept.put(Keys.rollup(job, hour(in)), Records.encode(rollup));
  }

  private void everyHour(String job, int days) {
    for (Instant at = TODAY.minus(DAY.multipliedBy(days));
        at.isBefore(Kept.START);
        at = at.plusSeconds(3600)) {
      ended(job, at, 1);
    }
  }

  private long count(String job, Instant from, Instant to) {
    return Kept.join(kept.history.stats(Optional.of(new JobId(job)), from, to)).count();
  }

  private List<Entry> of(String job) {
    return kept.all(Keys.ROLLUPS).stream()
        .filter(entry -> entry.key().text().startsWith(job + "/"))
        .toList();
  }

  @Test
  void ninety_days_of_a_job_that_ends_every_hour_are_kept_in_less_than_three_hundred_records() {
    everyHour("busy", 89);
    everyHour("calm", 3);
    long all = count("busy", Instant.EPOCH, Kept.START);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(A_ROUND);
    assertThat(of("busy")).hasSizeLessThan(300);
    assertThat(of("calm")).hasSize(3 * 24 + 10);
    assertThat(count("busy", Instant.EPOCH, Kept.START)).isEqualTo(all);
    assertThat(kept.counts.rollups()).isEqualTo(of("busy").size() + of("calm").size());
    assertThat(kept.counts.rollupBytes()).isBetween(1_000L, 100_000L);
  }

  @Test
  void days_stay_as_they_were_and_hours_of_the_last_week_too() {
    everyHour("busy", 30);
    Optional<JobId> job = Optional.of(new JobId("busy"));
    Instant from = TODAY.minus(DAY.multipliedBy(20));
    Instant lastWeek = TODAY.minus(DAY.multipliedBy(7));
    List<Slice> days = Kept.join(kept.history.stats(job, from, Kept.START, Bucket.DAY));
    List<Slice> hours = Kept.join(kept.history.stats(job, lastWeek, Kept.START, Bucket.HOUR));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(A_ROUND);
    assertThat(of("busy")).hasSizeLessThan(30 * 24);
    assertThat(Kept.join(kept.history.stats(job, from, Kept.START, Bucket.DAY))).isEqualTo(days);
    assertThat(Kept.join(kept.history.stats(job, lastWeek, Kept.START, Bucket.HOUR)))
        .isEqualTo(hours);
    Instant old = TODAY.minus(DAY.multipliedBy(15));
    assertThat(count("busy", old, old.plusSeconds(3599)))
        .as("a day, at its first hour")
        .isEqualTo(24);
    assertThat(count("busy", old.plusSeconds(3600), old.plus(DAY).minusSeconds(1)))
        .isZero();
  }

  @Test
  void an_hour_that_comes_later_is_added_to_its_day() {
    everyHour("busy", 20);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(A_ROUND);
    Instant old = TODAY.minus(DAY.multipliedBy(15));
    int before = of("busy").size();
    ended("busy", old.plusSeconds(5 * 3600), 7);
    assertThat(count("busy", old, old.plus(DAY).minusSeconds(1))).isEqualTo(31);
    kept.loop.run(A_ROUND);
    assertThat(of("busy")).hasSize(before);
    assertThat(count("busy", old, old.plus(DAY).minusSeconds(1))).isEqualTo(31);
  }

  @Test
  void an_answer_that_was_lost_counts_nothing_twice() {
    everyHour("busy", 12);
    long all = count("busy", Instant.EPOCH, Kept.START);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofSeconds(9));
    kept.faulty.loseNextAnswer();
    kept.loop.run(A_ROUND);
    assertThat(of("busy")).hasSizeLessThan(12 * 24);
    assertThat(count("busy", Instant.EPOCH, Kept.START)).isEqualTo(all);
  }

  @Test
  void a_day_with_an_hour_that_cannot_be_read_stays_as_it_is_and_all_others_are_added_up() {
    everyHour("busy", 12);
    Instant bad = TODAY.minus(DAY.multipliedBy(10)).plusSeconds(7200);
    kept.put(Keys.rollup("busy", hour(bad)), new byte[] {99, 1, 2});
    kept.lead(Kept.SETTINGS);
    kept.loop.run(A_ROUND);
    // Eight days and ten hours by the hour, three days by the day, and one as it was.
    assertThat(of("busy")).hasSize(8 * 24 + 10 + 3 + 24);
    assertThat(kept.counts.recordsPassedOver()).isPositive();
  }

  @Test
  void a_day_goes_as_a_whole_when_its_time_is_over() {
    everyHour("busy", 20);
    RetainSettings twoWeeks =
        Kept.SETTINGS.keeping(Duration.ofDays(7), Duration.ofDays(14), Duration.ofDays(7), 1 << 30);
    kept.lead(twoWeeks);
    kept.loop.run(A_ROUND);
    Instant oldest = Instant.EPOCH.plus(
        Duration.ofHours(Keys.rollupHour(of("busy").getFirst().key())));
    assertThat(oldest).isEqualTo(TODAY.minus(DAY.multipliedBy(14)));
    assertThat(count("busy", oldest, oldest)).isEqualTo(24);
  }
}
