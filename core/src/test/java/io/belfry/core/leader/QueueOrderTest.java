package io.belfry.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.Worker;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Fires of a job with {@code overlap: queue} run in the order of their instants, also when a worker is lost or leaves. */
class QueueOrderTest {
  /** While it is cut off, nothing gets through. */
  private static final class Link extends DelegatingStore {
    boolean cut;

    Link(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      return cut ? unavailable() : store.commit(commit);
    }

    @Override
    public CompletionStage<Boolean> renew(long lease) {
      return cut ? unavailable() : store.renew(lease);
    }

    private static <T> CompletionStage<T> unavailable() {
      return CompletableFuture.failedFuture(
          new StoreException.Unavailable("it is cut off", new IOException()));
    }
  }

  private final StepCrew crew = new StepCrew();
  private final Link link = new Link(crew.memory);
  private Instant first = Instant.EPOCH;

  /** The first fire runs on this worker, and three more wait behind it. */
  private Worker firstRunsAndThreeWait(boolean obeys) {
    Worker worker = crew.worker(link, WorkerSettings.of("w1", 5), obeys);
    crew.loop.run(Duration.ofSeconds(5));
    var unused = new Jobs(crew.loop, crew.memory)
        .put(Job.named("row")
            .local("noop")
            .cron("*/2 * * * * *", ZoneOffset.UTC)
            .overlap(OverlapPolicy.QUEUE)
            .build());
    crew.loop.run(Duration.ofMillis(8_500));
    assertThat(crew.launched).hasSize(1);
    first = crew.launched.getFirst().task.scheduled();
    return worker;
  }

  private List<Long> secondsAfterFirst() {
    return crew.launched.stream()
        .map(code -> Duration.between(first, code.task.scheduled()).toSeconds())
        .toList();
  }

  private void runThrough(int tasks) {
    for (int i = 0; i < tasks; i++) {
      crew.launched.getLast().succeed();
      crew.loop.run(Duration.ofMillis(100));
    }
  }

  @Test
  void a_task_whose_worker_was_lost_keeps_its_place_before_those_that_came_after_it() {
    firstRunsAndThreeWait(true);
    link.cut = true;
    crew.worker(crew.memory, WorkerSettings.of("w2", 5), true);
    crew.loop.run(Duration.ofSeconds(8));
    runThrough(4);
    assertThat(secondsAfterFirst()).startsWith(0L, 0L, 2L, 4L, 6L);
  }

  @Test
  void a_task_that_a_stopping_worker_hands_back_keeps_its_place() {
    Worker leaving = firstRunsAndThreeWait(true);
    crew.worker(crew.memory, WorkerSettings.of("w2", 5), true);
    crew.loop.run(Duration.ofSeconds(2));
    leaving.drain(Duration.ZERO, () -> {});
    crew.loop.run(Duration.ofSeconds(8));
    runThrough(4);
    assertThat(secondsAfterFirst()).startsWith(0L, 0L, 2L, 4L, 6L);
  }
}
