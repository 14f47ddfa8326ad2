package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
import io.belfry.model.job.JobId;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FoldingTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private final Kept kept = new Kept();

  private TaskId id(int number) {
    return TaskId.parse("task-" + number);
  }

  private List<Task> tasks(int from, int count) {
    var tasks = new ArrayList<Task>();
    for (int i = from; i < from + count; i++) {
      tasks.add(kept.succeeded(id(i)));
    }
    return tasks;
  }

  @Test
  void batches_become_one_segment_with_a_head_and_a_rollup_and_are_gone() {
    kept.batch("w1", tasks(0, 3));
    kept.batch("w2", tasks(3, 4));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(LONG);
    assertThat(kept.all(Keys.FRESH_HISTORY)).isEmpty();
    assertThat(kept.inSegments()).containsExactlyInAnyOrderElementsOf(tasksAtStart(7));
    Entry head = kept.all(Keys.SEGMENT_HEADS).getFirst();
    assertThat(Records.segmentHead(head.value()).count()).isEqualTo(7);
    assertThat(Records.segmentHead(head.value()).count(StateName.SUCCEEDED)).isEqualTo(7);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(1);
    assertThat(kept.all(Keys.SEGMENT_EXPIRY)).hasSize(1);
    Rollup rollup = Kept.join(kept.history.stats(Optional.empty(), Kept.START, Kept.START));
    assertThat(rollup.count(StateName.SUCCEEDED)).isEqualTo(7);
    assertThat(rollup.runTime().quantile(0.5).orElseThrow())
        .isBetween(Duration.ofNanos(4_680_000), Duration.ofNanos(5_320_000));
  }

  private List<Task> tasksAtStart(int count) {
    var fresh = new Kept();
    var tasks = new ArrayList<Task>();
    for (int i = 0; i < count; i++) {
      tasks.add(fresh.succeeded(id(i)));
    }
    return tasks;
  }

  @Test
  void a_few_batches_wait_for_more_before_they_are_folded() {
    kept.batch("w1", tasks(0, 3));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofSeconds(30));
    assertThat(kept.inBatches()).hasSize(3);
    kept.loop.run(Duration.ofSeconds(40));
    assertThat(kept.inBatches()).isEmpty();
  }

  @Test
  void many_batches_are_folded_at_once() {
    for (int i = 0; i < 200; i++) {
      kept.batch("w" + i % 3, tasks(i * 10, 10));
    }
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofSeconds(5));
    assertThat(kept.inSegments().size()).isGreaterThanOrEqualTo(1000);
    assertThat(kept.inSegments().size() + kept.inBatches().size()).isEqualTo(2000);
  }

  @Test
  void figures_of_more_jobs_than_fit_into_a_commit_come_later() {
    for (int batch = 0; batch < 3; batch++) {
      var tasks = new ArrayList<Task>();
      for (int i = 0; i < 100; i++) {
        tasks.add(kept.succeeded(TaskId.fire(new JobId("job-" + batch + "-" + i), Kept.START)));
      }
      kept.batch("w", tasks);
    }
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofMinutes(10));
    assertThat(kept.inBatches()).isEmpty();
    assertThat(kept.inSegments()).doesNotHaveDuplicates().hasSize(300);
    assertThat(kept.all(Keys.ROLLUPS)).hasSize(301); // of each job, and of all
  }

  @Test
  void tasks_of_more_hours_than_fit_into_a_commit_stay_behind_for_the_next() {
    var tasks = new ArrayList<Task>();
    for (int i = 0; i < 40; i++) {
      tasks.add(kept.succeeded(id(i), "w", Kept.START.minus(Duration.ofHours(i))));
    }
    kept.batch("w", tasks);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofMinutes(20));
    assertThat(kept.inBatches()).isEmpty();
    assertThat(kept.inSegments()).containsExactlyInAnyOrderElementsOf(tasks);
  }

  @Test
  void a_batch_that_cannot_be_read_blocks_nothing() {
    kept.put(Keys.freshHistory("w", 0), new byte[] {9, 9, 9});
    kept.batch("w", tasks(0, 3));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(LONG);
    assertThat(kept.inSegments()).hasSize(3);
    assertThat(kept.get(Keys.freshHistory("w", 0))).isPresent();
  }

  @Test
  void a_fold_whose_answer_is_lost_counts_its_tasks_once() {
    kept.batch("w", tasks(0, 3));
    kept.lead(Kept.SETTINGS);
    kept.faulty.loseNextAnswer(); // the fold takes effect, and is sent again
    kept.loop.run(LONG);
    kept.batch("w", tasks(3, 2));
    kept.loop.run(LONG);
    assertThat(kept.inSegments()).hasSize(5);
    Rollup rollup = Kept.join(
        kept.history.stats(Optional.empty(), Kept.START, Kept.START.plus(Duration.ofHours(1))));
    assertThat(rollup.count()).isEqualTo(5);
  }

  @Test
  void a_deposed_leader_folds_nothing() {
    kept.batch("w", tasks(0, 3));
    kept.lead(Kept.SETTINGS);
    kept.put(Keys.FENCE, new byte[] {77});
    kept.loop.run(LONG);
    assertThat(kept.inBatches()).hasSize(3);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).isEmpty();
  }

  @Test
  void looking_at_an_empty_history_costs_one_read() {
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofSeconds(1));
    kept.store.forget();
    kept.loop.run(Duration.ofSeconds(8)); // four looks, before the first trim
    assertThat(kept.store.calls()).isEqualTo(4);
  }

  @Test
  void folding_keeps_to_its_rate() {
    for (int i = 0; i < 500; i++) {
      kept.batch("w", tasks(i * 10, 10));
    }
    var slow = new RetainSettings(
        Duration.ofDays(7),
        Duration.ofDays(90),
        Duration.ofSeconds(1),
        Duration.ofMinutes(1),
        100,
        Duration.ofMinutes(30));
    kept.lead(slow);
    kept.store.forget();
    kept.loop.run(Duration.ofSeconds(20));
    assertThat(kept.inSegments().size()).isLessThanOrEqualTo(100 * 20 + 800);
    assertThat(kept.store.commits).isLessThanOrEqualTo(4);
    assertThat(kept.store.scans).isLessThanOrEqualTo(8);
  }

  @Test
  void the_hour_of_a_rollup_is_that_of_the_end() {
    Instant late = Kept.START.plus(Duration.ofMinutes(61));
    kept.batch("w", List.of(kept.succeeded(id(1)), kept.succeeded(id(2), "w", late)));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(LONG);
    assertThat(Kept.join(kept.history.stats(Optional.empty(), Kept.START, Kept.START))
            .count())
        .isEqualTo(1);
    assertThat(Kept.join(kept.history.stats(Optional.empty(), late, late)).count())
        .isEqualTo(1);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(2);
  }
}
