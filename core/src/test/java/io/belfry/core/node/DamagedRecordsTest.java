package io.belfry.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Observer;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.lead.LeadSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.reign.ReignSettings;
import io.belfry.core.work.Launcher;
import io.belfry.core.work.Worker;
import io.belfry.core.work.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.task.Result;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One bad record never blocks the rest. */
class DamagedRecordsTest {
  private final AtomicReference<Throwable> broken = new AtomicReference<>();

  private ThreadLoop loop(String name) {
    return new ThreadLoop(name, Time.system(), new SplittableRandom(1), broken::set);
  }

  @Test
  void jobs_fire_and_run_although_records_of_every_kind_are_damaged() throws InterruptedException {
    var ran = new CountDownLatch(2);
    try (var deliver = Executors.newSingleThreadExecutor();
        var store = new MemoryStore(Time.system(), deliver);
        var scheduling = loop("scheduling");
        var working = loop("working")) {
      List.of(
              Key.of(Keys.TASKS, "bad"),
              Key.of(Keys.JOBS, "bad"),
              Key.of(Keys.CURSORS, "bad"),
              Key.of(Keys.WORKERS, "bad~1"),
              Key.of(Keys.REQUESTS, "cbad"),
              Key.of(Keys.FRESH_HISTORY, "bad~1/1"),
              Keys.NAMESPACE)
          .forEach(key ->
              store.commit(Commit.when().put(key, new byte[] {99, 1, 2, 3}).build()));
      var scheduler = new Scheduler(
          scheduling,
          store,
          store,
          "node~1",
          LeadSettings.DEFAULT,
          ReignSettings.DEFAULT,
          Strategies.builtIn(),
          Observer.NOBODY);
      var worker = new Worker(
          working,
          store,
          "1",
          WorkerSettings.of("worker", 5),
          (task, ended) -> {
            ran.countDown();
            ended.accept(new Launcher.Ending.Returned(Result.OK));
            return () -> {};
          },
          () -> WorkerRecord.Load.NONE);
      scheduling.post(scheduler::start);
      working.post(worker::start);
      var unused = new Jobs(scheduling, store)
          .put(Job.named("good").every(Duration.ofMillis(200)).local("noop").build());
      assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(broken.get()).isNull();
    }
  }
}
