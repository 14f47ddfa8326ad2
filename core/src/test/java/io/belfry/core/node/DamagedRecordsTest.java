package io.belfry.core.node;

import static io.belfry.core.node.SmallNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.history.History;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.Retries;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Records;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** One bad record never blocks the rest. */
class DamagedRecordsTest {
  private static final byte[] DAMAGED = {99, 1, 2, 3};
  private static final Instant AT = Instant.parse("2027-01-01T00:00:00Z");

  private final SplittableRandom random = new SplittableRandom(1);

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
          .forEach(key -> node.put(key, DAMAGED));
      node.schedule();
      node.work(5, task -> ran.countDown());
      var unused = new Jobs(node.scheduling, node.store)
          .put(Job.named("good").every(Duration.ofMillis(200)).local("noop").build());
      assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void an_earlier_retry_that_cannot_be_read_fails_its_caller_alone() {
    try (var node = new SmallNode()) {
      Task failed = ended();
      node.put(
          Keys.freshHistory("worker~1", 1), Records.encode(new EndedBatch(true, List.of(failed))));
      node.put(Keys.dedup("retry/" + failed.id()), DAMAGED);
      var history = new History(node.store, Runnable::run);
      var retries = new Retries(node.scheduling, node.store, history, Duration.ofDays(1));
      assertThatThrownBy(() -> await(retries.retry(failed.id(), "me")))
          .isInstanceOf(DamagedRecordException.class);
      assertThatThrownBy(() -> await(retries.retry(failed.id(), "me")))
          .isInstanceOf(DamagedRecordException.class);
    }
  }

  @Test
  void a_trigger_whose_answer_got_lost_and_whose_mark_cannot_be_read_fails_its_caller_alone() {
    try (var node = new SmallNode(LosingTriggers::new)) {
      var jobs = new Jobs(node.scheduling, node.store);
      Job job =
          await(jobs.put(Job.named("j").every(Duration.ofDays(1)).local("noop").build()));
      var requests = new Requests(node.scheduling, node.store, Duration.ofDays(1));
      assertThatThrownBy(() -> await(requests.triggerOnce(job.id(), AT, Optional.empty(), "me")))
          .isInstanceOf(DamagedRecordException.class);
      assertThat(await(requests.trigger(job.id(), Optional.empty(), "me"))).isNotNull();
    }
  }

  /** The answer to the trigger for one instant is lost, and what it wrote is damaged. */
  private static final class LosingTriggers extends DelegatingStore {
    private final Key mark = Keys.dedup("j@" + AT);
    private boolean lost;

    LosingTriggers(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      boolean ours = commit.writes().stream().anyMatch(write -> write.key().equals(mark));
      if (!ours || lost) {
        return store.commit(commit);
      }
      lost = true;
      return store
          .commit(Commit.when().put(mark, DAMAGED).build())
          .thenCompose(done -> CompletableFuture.failedStage(
              new StoreException.Unknown("the answer got lost", null)));
    }
  }

  @Test
  void a_task_that_cannot_be_read_when_its_end_is_reported_does_not_stop_its_worker()
      throws InterruptedException {
    var endings = new LinkedBlockingQueue<Consumer<Launcher.Ending>>();
    try (var node = new SmallNode()) {
      node.schedule();
      node.work("1", WorkerSettings.of("worker", 2), (task, ended) -> {
        endings.add(ended);
        return () -> {};
      });
      var submitter =
          new Submitter(node.scheduling, node.store, "node~1", Duration.ofDays(1), 1000);
      Receipt first = await(submitter.submit(Submission.of(pending())));
      var end = endings.poll(60, TimeUnit.SECONDS);
      assertThat(end).isNotNull();
      node.put(Keys.task(((Receipt.Accepted) first).task()), DAMAGED);
      end.accept(new Launcher.Ending.Returned(Result.OK));
      var unused = await(submitter.submit(Submission.of(pending())));
      assertThat(endings.poll(60, TimeUnit.SECONDS)).isNotNull();
    }
  }

  private Task pending() {
    Instant now = Time.system().wall();
    Work work = Work.of("t", ExecutorSpec.local("noop"));
    return Task.pending(TaskId.oneOff(now, random), work, Priority.NORMAL, now, now);
  }

  private Task ended() {
    Task task = pending();
    var failed =
        new TaskState.Failed(new Failure(FailureKind.ERROR, Result.of(1, "no")), task.created());
    return new Task(
        task.id(),
        task.work(),
        task.scheduled(),
        task.created(),
        task.priority(),
        task.key(),
        failed,
        task.cancel(),
        task.history());
  }
}
