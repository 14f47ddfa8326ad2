package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Rollup;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Thousands of different jobs end tasks at the same time. */
class ManyJobsTest {
  private static final int JOBS = 5000;
  private static final int TASKS = 8 * JOBS;

  private final Kept kept = new Kept();

  private static JobId job(int i) {
    return new JobId("job-%04d".formatted(i % JOBS));
  }

  private static Task ended(Kept kept, int i) {
    return kept.succeeded(TaskId.fire(job(i), Kept.START.plusMillis(i)));
  }

  private static Rollup figures(Kept kept, Optional<JobId> job) {
    return Kept.join(kept.history.stats(
        job, Kept.START.minus(Duration.ofHours(2)), Kept.START.plus(Duration.ofHours(5))));
  }

  @Test
  void a_task_costs_the_same_however_many_jobs_there_are() {
    for (int i = 0; i < TASKS; i += 100) {
      List<Task> batch = new ArrayList<>();
      for (int n = 0; n < 100; n++) {
        batch.add(ended(kept, i + n));
      }
      kept.batch("w", batch);
    }
    kept.lead(Kept.SETTINGS);
    kept.store.forget();
    kept.loop.run(Duration.ofMinutes(5));
    assertThat(kept.inBatches()).isEmpty();
    assertThat(kept.inSegments()).hasSize(TASKS);
    assertThat(kept.all(Keys.ROLLUP_BATCHES)).isEmpty();
    assertThat(kept.get(Keys.ROLLED)).isEmpty();
    assertThat(kept.all(Keys.ROLLUPS)).hasSize(JOBS + 1); // of each job, and of all
    assertThat(figures(kept, Optional.empty()).count()).isEqualTo(TASKS);
    for (int i = 0; i < JOBS; i += 97) {
      assertThat(figures(kept, Optional.of(job(i))).count()).isEqualTo(8);
    }
    // Folds of more than five hundred tasks, and each rollup once; formerly a fold took 78.
    assertThat(kept.store.commits)
        .isLessThanOrEqualTo(TASKS / 500 + JOBS / RollupMerging.SHEETS_AT_ONCE + 25);
    assertThat(kept.counts.rollupsDropped()).isZero();
  }

  @Test
  void every_task_is_counted_once_whoever_crashes_and_whatever_is_lost() {
    Seeds.each(8, random -> {
      var kept = new Kept(random);
      Map<JobId, Rollup> expected = new HashMap<>();
      for (int i = 0; i < 60; i++) {
        List<Task> batch = new ArrayList<>();
        for (int n = 0; n < 120; n++) {
          Task task = ended(kept, i * 120 + n);
          batch.add(task);
          expected
              .computeIfAbsent(task.id().jobId().orElseThrow(), job -> new Rollup())
              .add(task);
        }
        kept.batch("w", batch);
        switch (random.nextInt(8)) {
          case 0, 1 -> kept.lead(Kept.SETTINGS);
          case 2 -> kept.faulty.loseNextAnswer();
          case 3 -> kept.faulty.loseNextRequest();
          case 4 -> kept.crash();
          default -> kept.loop.run(Duration.ofMillis(random.nextInt(60_000)));
        }
      }
      kept.lead(Kept.SETTINGS);
      for (int i = 0; i < 12; i++) {
        kept.loop.run(Duration.ofMillis(random.nextInt(75_000)));
        if (random.nextBoolean()) {
          kept.faulty.loseNextAnswer();
        }
        kept.lead(Kept.SETTINGS); // perhaps in the middle of adding up
      }
      kept.loop.run(Duration.ofMinutes(5));
      assertThat(kept.all(Keys.ROLLUP_BATCHES)).isEmpty();
      expected.forEach(
          (job, rollup) -> assertThat(figures(kept, Optional.of(job))).isEqualTo(rollup));
      assertThat(figures(kept, Optional.empty()).count()).isEqualTo(60 * 120);
    });
  }

  @Test
  void what_waits_to_be_folded_is_measured_and_far_behind_nothing_more_is_taken_in() {
    for (int i = 0; i < 33; i++) {
      kept.put(Keys.freshHistory("bad", i), new byte[1 << 20]); // cannot be read, and stays
    }
    kept.lead(Kept.SETTINGS);
    assertThat(kept.full.getAsBoolean()).isFalse();
    kept.loop.run(Duration.ofSeconds(11));
    assertThat(kept.counts.unfolded()).isGreaterThanOrEqualTo(32);
    assertThat(kept.counts.unfoldedBytes()).isGreaterThanOrEqualTo(Backlog.FULL_BYTES);
    assertThat(kept.full.getAsBoolean()).isTrue();
    // Now figures are kept only of jobs that fit into the commit.
    List<Task> batch = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      batch.add(ended(kept, i));
    }
    kept.batch("w", batch);
    kept.loop.run(Duration.ofMinutes(5)); // behind all that cannot be read
    assertThat(kept.inSegments()).hasSize(500);
    assertThat(kept.counts.rollupsDropped()).isBetween(400L, 500L);
    assertThat(figures(kept, Optional.empty()).count()).isEqualTo(500);
    for (int i = 0; i < 20; i++) {
      kept.delete(Keys.freshHistory("bad", i));
    }
    kept.loop.run(Duration.ofSeconds(11));
    assertThat(kept.full.getAsBoolean()).isFalse();
  }
}
