package io.belfry.core.node;

import static io.belfry.core.node.SmallNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.fire.Explanation;
import io.belfry.core.history.History;
import io.belfry.core.jobs.Calendars;
import io.belfry.core.jobs.JobExplainer;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.time.Time;
import io.belfry.store.Scan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A job that is due over and over while its task hangs. */
class HangingJobTest {
  private static final Duration EVERY = Duration.ofMillis(200);

  private static List<SkippedRange> skips(SmallNode node) {
    return await(node.store.scan(Scan.all(Keys.SKIPS))).entries().stream()
        .map(entry -> Records.skippedRange(entry.value()))
        .toList();
  }

  @Test
  void skips_of_consecutive_instants_are_one_record_and_each_is_explained_by_it() {
    try (var node = new SmallNode()) {
      node.schedule();
      node.work("1", WorkerSettings.of("worker", 5), (task, ended) -> () -> {});
      Job job = await(new Jobs(node.scheduling, node.store)
          .put(Job.named("hangs").every(EVERY).local("noop").build()));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> skips(node).stream().mapToInt(SkippedRange::count).sum() >= 10);
      List<SkippedRange> stored = skips(node);
      assertThat(stored).hasSize(1);
      SkippedRange range = stored.getFirst();
      assertThat(range.reason()).isEqualTo(SkipReason.OVERLAP);
      assertThat(range.to()).isEqualTo(range.from().plus(EVERY.multipliedBy(range.count() - 1L)));
      var explaining = new JobExplainer(
          node.store,
          new History(node.store, Runnable::run),
          new Calendars(node.scheduling, node.store),
          Time.system(),
          Duration.ofDays(7));
      for (Instant at = range.from(); !at.isAfter(range.to()); at = at.plus(EVERY)) {
        assertThat(await(explaining.explain(job.id(), at))).isInstanceOf(Explanation.Skipped.class);
      }
      assertThat(await(explaining.explain(job.id(), range.from().minus(EVERY))))
          .isInstanceOf(Explanation.Fired.class);
      assertThat(await(explaining.explain(job.id(), range.from().plusMillis(7))))
          .isInstanceOf(Explanation.NotAFireTime.class);
    }
  }
}
