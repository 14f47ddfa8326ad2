package io.belfry.core.leader.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.fire.JobTable;
import io.belfry.core.leader.term.TestTerm;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobId;
import io.belfry.store.MemoryStore;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** For how long a leader has decided nothing although a job was due. */
class FireProgressTest {
  private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");
  private static final JobId JOB = new JobId("nightly");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime(START);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final JobTable jobs = new JobTable();
  private final CursorWrites cursors =
      new CursorWrites(TestTerm.on(loop, new MemoryStore(time, Runnable::run)), jobs, job -> {});
  private final FireProgress progress = new FireProgress(loop, jobs, cursors);
  private long revision;

  private void dueAt(Instant at) {
    assertThat(jobs.put(JOB, cursor(at), ++revision)).isTrue();
  }

  private static Cursor cursor(Instant next) {
    return new Cursor(1, true, Optional.of(next), Optional.empty(), Optional.empty());
  }

  /** As a leader looks: once a second. */
  private void pass(int seconds, boolean loading, boolean paused) {
    for (int i = 0; i < seconds; i++) {
      time.advance(SECOND);
      progress.check(loading, paused);
    }
  }

  private void pass(int seconds) {
    pass(seconds, false, false);
  }

  @Test
  void without_a_due_job_nothing_is_stalled() {
    pass(100);
    assertThat(progress.stalled()).isZero();
    dueAt(START.plusSeconds(1000));
    pass(100);
    assertThat(progress.stalled()).isZero();
  }

  @Test
  void a_due_job_that_nobody_decides_stalls_from_the_second_after_it_was_due() {
    dueAt(START.plusSeconds(10));
    pass(11);
    assertThat(progress.stalled()).isZero();
    pass(5);
    assertThat(progress.stalled()).isEqualTo(Duration.ofSeconds(5));
    time.advance(Duration.ofMillis(300));
    assertThat(progress.stalled()).isEqualTo(Duration.ofMillis(5300));
  }

  @Test
  void each_decision_ends_the_stall_although_more_is_due() {
    dueAt(START);
    pass(20);
    assertThat(progress.stalled()).isPositive();
    assertThat(cursors.begin(JOB)).isTrue();
    cursors.writeFinished(JOB);
    pass(1);
    assertThat(progress.stalled()).isZero();
    pass(3);
    assertThat(progress.stalled()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void a_commit_without_an_answer_is_owed_although_its_job_is_no_longer_in_the_table() {
    dueAt(START);
    assertThat(jobs.forEachDue(START, 1, due -> cursors.begin(due.job()))).isEqualTo(1);
    assertThat(jobs.next()).isEmpty();
    pass(30);
    assertThat(progress.stalled()).isEqualTo(Duration.ofSeconds(30));
    cursors.writeFinished(JOB);
    dueAt(START.plusSeconds(1000));
    pass(1);
    assertThat(progress.stalled()).isZero();
  }

  @Test
  void a_namespace_that_is_paused_owes_nothing() {
    dueAt(START);
    pass(30, false, true);
    assertThat(progress.stalled()).isZero();
    pass(4);
    assertThat(progress.stalled()).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void a_leader_that_is_still_reading_owes_a_decision_from_its_first_moment() {
    pass(7, true, true);
    assertThat(progress.stalled()).isEqualTo(Duration.ofSeconds(7));
    pass(1);
    assertThat(progress.stalled()).isZero();
  }
}
