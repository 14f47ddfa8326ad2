package io.belfry.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.model.job.Job;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One bad record never blocks the rest. */
class DamagedRecordsTest {
  @Test
  void jobs_fire_and_run_although_records_of_every_kind_are_damaged() throws InterruptedException {
    var ran = new CountDownLatch(2);
    try (var node = new SmallNode()) {
      List.of(
              Key.of(Keys.TASKS, "bad"),
              Key.of(Keys.JOBS, "bad"),
              Key.of(Keys.CURSORS, "bad"),
              Key.of(Keys.WORKERS, "bad~1"),
              Key.of(Keys.REQUESTS, "cbad"),
              Keys.workerOrder("worker~1"),
              Key.of(Keys.FRESH_HISTORY, "bad~1/1"),
              Keys.NAMESPACE)
          .forEach(key -> node.put(key, new byte[] {99, 1, 2, 3}));
      node.schedule();
      node.work(5, task -> ran.countDown());
      var unused = new Jobs(node.scheduling, node.store)
          .put(Job.named("good").every(Duration.ofMillis(200)).local("noop").build());
      assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }
}
