package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.DedupRecord;
import io.belfry.core.record.LateReport;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrimmingTest {
  private static final Duration WHILE = Duration.ofMinutes(2);
  private final Kept kept = new Kept();

  private void dedup(String key, Instant until) {
    kept.put(Keys.dedup(key), Records.encode(new DedupRecord(TaskId.parse(key), 0)));
    kept.put(Keys.dedupExpiry(until.toEpochMilli(), key), new byte[0]);
  }

  private void skip(String job, Instant at) {
    kept.put(
        Keys.skip(new JobId(job), at),
        Records.encode(new SkippedRange(at, at, 1, true, SkipReason.OVERLAP)));
  }

  @Test
  void each_task_is_kept_as_long_as_its_job_says_and_within_the_hour_forgotten() {
    kept.job("brief", Duration.ofHours(2));
    kept.job("long", Duration.ofDays(30));
    TaskId brief = TaskId.fire(new JobId("brief"), Kept.START);
    TaskId lasting = TaskId.fire(new JobId("long"), Kept.START);
    TaskId plain = TaskId.parse("plain");
    kept.batch("w", List.of(kept.succeeded(brief), kept.succeeded(lasting), kept.succeeded(plain)));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofMinutes(119));
    assertThat(kept.inSegments()).hasSize(3);
    kept.loop.run(Duration.ofMinutes(65));
    assertThat(kept.inSegments()).extracting(t -> t.id()).containsExactlyInAnyOrder(lasting, plain);
    kept.crash();
    kept.time.advance(Duration.ofDays(7).minusHours(4));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.inSegments()).hasSize(2);
    kept.loop.run(Duration.ofHours(2));
    assertThat(kept.inSegments()).extracting(t -> t.id()).containsExactly(lasting);
    kept.crash();
    kept.time.advance(Duration.ofDays(24));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.inSegments()).isEmpty();
    assertThat(kept.all(Keys.SEGMENT_EXPIRY)).isEmpty();
    assertThat(kept.all(Keys.ROLLUPS)).hasSize(4); // of each job, of none, and of all
  }

  @Test
  void dedup_records_go_in_the_hour_after_their_window_and_not_before() {
    for (int i = 0; i < 120; i++) {
      dedup("old-" + i, Kept.START.minus(Duration.ofHours(2)));
    }
    dedup("new", Kept.START.plus(Duration.ofHours(1)));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.DEDUP_EXPIRY)).hasSize(1);
    assertThat(kept.get(Keys.dedup("new"))).isPresent();
    for (int i = 0; i < 120; i++) {
      assertThat(kept.get(Keys.dedup("old-" + i))).isEmpty();
    }
    kept.loop.run(Duration.ofHours(2).plus(WHILE));
    assertThat(kept.get(Keys.dedup("new"))).isEmpty();
  }

  @Test
  void a_late_copy_of_a_trim_does_not_hit_a_key_that_is_used_again() {
    dedup("again", Kept.START.minus(Duration.ofHours(2)));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofSeconds(9));
    kept.faulty.delayNextRequest();
    kept.loop.run(WHILE); // the settler's own second try did it
    assertThat(kept.get(Keys.dedup("again"))).isEmpty();
    dedup("again", Kept.START.plus(Duration.ofDays(7)));
    kept.faulty.deliverDelayed();
    assertThat(kept.get(Keys.dedup("again"))).isPresent();
  }

  @Test
  void two_expiries_of_one_dedup_record_are_trimmed_in_one_commit() {
    dedup("twice", Kept.START.minus(Duration.ofHours(3)));
    kept.put(
        Keys.dedupExpiry(Kept.START.minus(Duration.ofHours(2)).toEpochMilli(), "twice"),
        new byte[0]);
    dedup("other", Kept.START.minus(Duration.ofHours(2)));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.DEDUP_EXPIRY)).isEmpty();
    assertThat(kept.get(Keys.dedup("twice"))).isEmpty();
    assertThat(kept.get(Keys.dedup("other"))).isEmpty();
  }

  @Test
  void an_expiry_of_an_earlier_trigger_does_not_end_the_window_of_a_later_one() {
    Instant later = Kept.START.plus(Duration.ofHours(5));
    String key = "j@2027-03-01T00:00:00Z";
    kept.put(
        Keys.dedup(key),
        Records.encode(new DedupRecord(TaskId.parse(key), 7, later.toEpochMilli())));
    kept.put(Keys.dedupExpiry(later.toEpochMilli(), key), new byte[0]);
    kept.put(
        Keys.dedupExpiry(Kept.START.minus(Duration.ofHours(2)).toEpochMilli(), key), new byte[0]);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.DEDUP_EXPIRY)).hasSize(1);
    assertThat(kept.get(Keys.dedup(key))).isPresent();
    kept.loop.run(Duration.ofHours(6).plus(WHILE));
    assertThat(kept.all(Keys.DEDUP_EXPIRY)).isEmpty();
    assertThat(kept.get(Keys.dedup(key))).isEmpty();
  }

  @Test
  void keys_that_no_writer_has_put_there_are_passed_over_and_counted() {
    var bad = List.of(
        Key.of(Keys.SEGMENT_EXPIRY, "00000000/nonsense"),
        Key.of(Keys.SEGMENT_EXPIRY, "0"),
        Key.of(Keys.VERSION_EXPIRY, "00000000/nonsense"),
        Key.of(Keys.VERSION_EXPIRY, "00000000/NO JOB/0000000000000001"),
        Key.of(Keys.DEDUP_EXPIRY, "0"),
        Key.of(Keys.ROLLUPS, "zz"),
        Key.of(Keys.ROLLUPS, "a/nonsense"));
    bad.forEach(key -> kept.put(key, new byte[0]));
    dedup("old", Kept.START.minus(Duration.ofHours(2)));
    versions(new JobId("gone"), 1, 3);
    deleted(new JobId("gone"), 3, Kept.START.minus(Duration.ofDays(40)));
    long hour = Duration.ofMillis(Kept.START.toEpochMilli()).toHours();
    kept.put(Keys.rollup("j", hour - 91 * 24), Records.encode(new Rollup()));
    String segment = kept.segment(
        List.of(kept.succeeded(TaskId.parse("t"), "w~1", Kept.START.minus(Duration.ofDays(8)))));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.get(Keys.dedup("old"))).isEmpty();
    assertThat(kept.all(Keys.VERSIONS)).isEmpty();
    assertThat(kept.get(SegmentKeys.tasks(segment))).isEmpty();
    assertThat(kept.get(Keys.rollup("j", hour - 91 * 24))).isEmpty();
    bad.forEach(key -> assertThat(kept.get(key)).as("%s", key).isPresent());
    assertThat(kept.counts.recordsPassedOver()).isGreaterThanOrEqualTo(bad.size());
  }

  @Test
  void a_full_engine_is_emptied_by_commits_that_only_delete() {
    List<String> segments = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      segments.add(kept.segment(List.of(
          kept.rated(TaskId.parse("t" + i), Kept.START.minus(Duration.ofDays(8)).plusMillis(i)))));
    }
    dedup("old", Kept.START.minus(Duration.ofHours(2)));
    skip("j", Kept.START.minus(Duration.ofDays(8)));
    kept.log(TaskId.parse("logged"), Kept.START.minus(Duration.ofDays(8)), 100);
    kept.store.full = true;
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).isEmpty();
    assertThat(kept.all(Keys.SEGMENT_EXPIRY)).isEmpty();
    segments.forEach(name -> assertThat(kept.get(SegmentKeys.tasks(name))).isEmpty());
    assertThat(kept.get(Keys.dedup("old"))).isEmpty();
    assertThat(kept.all(Keys.SKIPS)).isEmpty();
    assertThat(kept.logged()).isEmpty();
  }

  private void late(int attempt, Instant at) {
    var report = new LateReport(
        TaskId.parse("t"), attempt, attempt, "w~1", at, LateReport.Said.SUCCEEDED, "done");
    kept.put(Keys.lateReport(report.task(), report.place()), Records.encode(report));
  }

  @Test
  void late_reports_are_kept_as_long_as_finished_tasks() {
    late(1, Kept.START.minus(Duration.ofDays(8)));
    late(2, Kept.START.minus(Duration.ofDays(6)));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.LATE_REPORTS))
        .extracting(entry -> Records.lateReport(entry.value()).attempt())
        .containsExactly(2);
  }

  @Test
  void skips_go_with_the_tasks_and_rollups_later() {
    skip("j", Kept.START.minus(Duration.ofDays(8)));
    skip("j", Kept.START.minus(Duration.ofDays(6)));
    long hour = Duration.ofMillis(Kept.START.toEpochMilli()).toHours();
    for (int i = 0; i < 250; i++) {
      kept.put(Keys.rollup("j" + i, hour - 91 * 24), Records.encode(new Rollup()));
    }
    kept.put(Keys.rollup("j", hour - 89 * 24), Records.encode(new Rollup()));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.SKIPS)).hasSize(1);
    assertThat(kept.all(Keys.ROLLUPS)).hasSize(1);
  }

  private void deleted(JobId job, long generation, Instant at) {
    var grave = new Cursor(generation, true, Optional.empty(), Optional.empty(), Optional.empty());
    kept.put(Keys.buried(job), Records.encode(grave));
    kept.put(
        Keys.versionExpiry(
            at.plus(RetainSettings.VERSIONS_OF_DELETED).toEpochMilli(), job, generation),
        new byte[0]);
  }

  private void versions(JobId job, long from, long to) {
    for (long each = from; each <= to; each++) {
      kept.put(Keys.version(job, each), new byte[] {1});
    }
  }

  @Test
  void versions_of_deleted_jobs_go_after_a_month_a_few_jobs_at_a_time() {
    Instant longAgo = Kept.START.minus(RetainSettings.VERSIONS_OF_DELETED).minusSeconds(7200);
    for (int i = 0; i < 3 * VersionDrop.JOBS_AT_ONCE; i++) {
      versions(new JobId("old-" + i), 8, 27);
      deleted(new JobId("old-" + i), 27, longAgo);
    }
    versions(new JobId("late"), 1, 2);
    deleted(new JobId("late"), 2, Kept.START);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.VERSION_EXPIRY)).hasSize(1);
    assertThat(kept.all(Keys.VERSIONS)).hasSize(2);
    assertThat(kept.get(Keys.buried(new JobId("old-0")))).isEmpty();
    assertThat(kept.get(Keys.buried(new JobId("late")))).isPresent();
    kept.crash();
    kept.time.advance(RetainSettings.VERSIONS_OF_DELETED.plusHours(2));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.VERSIONS)).isEmpty();
    assertThat(kept.all(Keys.VERSION_EXPIRY)).isEmpty();
  }

  @Test
  void versions_of_a_job_that_is_there_again_stay_until_it_is_deleted_again() {
    Instant longAgo = Kept.START.minus(RetainSettings.VERSIONS_OF_DELETED).minusSeconds(7200);
    var job = new JobId("again");
    versions(job, 1, 3);
    deleted(job, 2, longAgo);
    kept.job("again", Duration.ofDays(7));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.VERSION_EXPIRY)).isEmpty();
    assertThat(kept.all(Keys.VERSIONS)).hasSize(3);

    deleted(job, 2, longAgo);
    kept.delete(Keys.job(job));
    deleted(job, 3, Kept.START); // the grave is of this one now
    kept.loop.run(WHILE);
    assertThat(kept.all(Keys.VERSION_EXPIRY)).hasSize(1);
    assertThat(kept.all(Keys.VERSIONS)).hasSize(3);
  }

  @Test
  void a_late_copy_does_not_hit_the_versions_of_a_job_that_is_there_again() {
    var job = new JobId("again");
    versions(job, 1, 2);
    deleted(job, 2, Kept.START.minus(RetainSettings.VERSIONS_OF_DELETED).minusSeconds(7200));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofSeconds(9));
    kept.faulty.delayNextRequest();
    kept.loop.run(WHILE); // the settler's own second try did it
    assertThat(kept.all(Keys.VERSIONS)).isEmpty();
    kept.job("again", Duration.ofDays(7));
    versions(job, 1, 2);
    kept.faulty.deliverDelayed();
    assertThat(kept.all(Keys.VERSIONS)).hasSize(2);
  }

  @Test
  void tens_of_thousands_of_keys_are_forgotten_in_one_look() {
    for (int i = 0; i < 20_000; i++) {
      dedup("old-" + i, Kept.START.minus(Duration.ofHours(2)));
    }
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofSeconds(11));
    assertThat(kept.all(Keys.DEDUP_EXPIRY)).isEmpty();
  }

  @Test
  void two_who_drop_segments_at_the_same_time_leave_the_later_end() {
    var drop = new SegmentDrop(kept.time);
    List<Commit> made = new ArrayList<>();
    for (long end : new long[] {2_000, 1_000}) {
      Commit.Builder commit = Commit.when();
      String name = SegmentKeys.name(end, 1);
      drop.add(List.of(name), List.of(name), commit, Map.of());
      made.add(commit.build());
    }
    assertThat(Kept.join(kept.memory.commit(made.get(0)))).isInstanceOf(Outcome.Done.class);
    assertThat(Kept.join(kept.memory.commit(made.get(1)))).isInstanceOf(Outcome.Refused.class);
    assertThat(Records.forgotten(kept.get(Keys.FORGOTTEN).orElseThrow().value()).lastEnd())
        .isEqualTo(2_000);
  }

  @Test
  void a_look_without_anything_due_costs_one_read_of_each_kind() {
    var settings = new RetainSettings(
        Duration.ofDays(7),
        Duration.ofDays(90),
        Duration.ofMinutes(50),
        Duration.ZERO,
        1000,
        Duration.ofMinutes(1));
    kept.lead(settings);
    kept.loop.run(Duration.ofMinutes(3)); // a leader's first looks find out where to begin
    kept.store.forget();
    kept.loop.run(Duration.ofMinutes(5));
    assertThat(kept.store.commits).isZero();
    assertThat(kept.store.scans).isEqualTo(62); // keys are counted once in that time
  }
}
