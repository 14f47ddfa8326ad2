package io.belfry.core.node;

import static io.belfry.core.node.SmallNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Metadata and settings count, too: many large tasks at once end no loop, and one that is too large is refused. */
class LargeTasksTest {
  private static final String WIDE = "鐘";
  private static final Duration WINDOW = Duration.ofDays(1);

  private final SmallNode node = new SmallNode();
  private final SplittableRandom random = new SplittableRandom(1);
  private final Submitter submitter =
      new Submitter(node.scheduling, node.store, "node~1", WINDOW, 10_000);
  private final ConcurrentLinkedQueue<Task> ran = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Task> ended = new ConcurrentLinkedQueue<>();
  private CountDownLatch done = new CountDownLatch(0);
  /** Receives every end. */
  private final Observer observer = happening -> {
    switch (happening) {
      case Happening.TaskCompleted(Task task) -> ended(task);
      case Happening.TaskFailed(Task task) -> ended(task);
      default -> {}
    }
  };

  @AfterEach
  void nothingBroke() {
    node.close();
  }

  private void ended(Task task) {
    ended.add(task);
    done.countDown();
  }

  private Task task(Work work) {
    Instant now = Time.system().wall();
    return Task.pending(TaskId.oneOff(now, random), work, Priority.NORMAL, now, now);
  }

  private void submit(int count, Work work) {
    var receipts = new ArrayList<CompletionStage<Receipt>>();
    for (int i = 0; i < count; i++) {
      receipts.add(submitter.submit(Submission.of(task(work))));
    }
    receipts.forEach(receipt -> assertThat(await(receipt)).isInstanceOf(Receipt.Accepted.class));
  }

  private void schedule() {
    node.schedule(LeaderSettings.DEFAULT, observer);
  }

  private void work(Launcher.Ending end) {
    node.work("1", WorkerSettings.of("worker", 100), (task, ending) -> {
      ran.add(task);
      ending.accept(end);
      return () -> {};
    });
  }

  /** Without showing them: they are large. */
  private void assertThatRan(int count, Work work) {
    assertThat(ran.stream().map(Task::id).distinct()).hasSize(count);
    assertThat(ran.stream().map(task -> task.work().equals(work))).containsOnly(true);
  }

  private void awaitDone() throws InterruptedException {
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
  }

  private static Work settings(int bytes) {
    return Work.of(
        "t", new ExecutorSpec("http", Map.of("body", WIDE.repeat(bytes / WIDE.length() / 3))));
  }

  private static Map<String, String> labels(int bytes) {
    var labels = new TreeMap<String, String>();
    for (int i = 0; i * 3000 < bytes; i++) {
      labels.put("l" + i, WIDE.repeat(1000));
    }
    return labels;
  }

  @Test
  void tasks_with_large_settings_are_taken_in_given_out_and_ended_many_at_a_time()
      throws Exception {
    done = new CountDownLatch(200);
    submit(200, settings(30_000));
    schedule();
    work(new Launcher.Ending.Returned(Result.OK));
    awaitDone();
    assertThatRan(200, settings(30_000));
  }

  @Test
  void tasks_with_large_metadata_are_claimed_many_at_a_time() throws Exception {
    done = new CountDownLatch(200);
    node.put(Keys.queue("q"), Records.encode(new QueueRecord(QueueRecord.Mode.PULL, false, 1)));
    Work work = settings(100).withMetadata(labels(30_000)).withQueue("q");
    submit(200, work);
    schedule();
    work(new Launcher.Ending.Returned(Result.OK));
    awaitDone();
    assertThatRan(200, work);
  }

  @Test
  void failures_with_long_messages_are_reported_many_at_a_time() throws Exception {
    done = new CountDownLatch(200);
    var retry =
        new RetryPolicy(1, Duration.ZERO, 1, Duration.ZERO, false, Set.of(FailureKind.ERROR));
    submit(200, settings(100).withRetry(retry));
    schedule();
    work(new Launcher.Ending.Failed(
        new Failure(FailureKind.ERROR, Result.of(1, WIDE.repeat(4096)))));
    awaitDone();
    assertThat(ended.stream().map(Task::attempts)).hasSize(200).containsOnly(2);
  }

  @Test
  void a_task_that_no_commit_would_have_room_for_is_refused_and_the_next_is_taken_in() {
    Payload payload = noise(Payload.DEFAULT_LIMIT);
    var refused = submitter.submit(Submission.of(task(settings(390_000).withPayload(payload))));
    assertThatThrownBy(() -> await(refused))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("task must take at most 589824 bytes");
    submit(1, settings(100));
  }

  @Test
  void a_job_whose_tasks_no_commit_would_have_room_for_is_refused_and_so_is_such_a_trigger() {
    var jobs = new Jobs(node.scheduling, node.store);
    Job job = Job.named("large")
        .every(Duration.ofDays(1))
        .executor(settings(390_000).executor())
        .build();
    Payload payload = noise(Payload.DEFAULT_LIMIT);
    assertThatThrownBy(() -> await(jobs.put(job.edit().payload(payload).build())))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("job must take at most 589824 bytes");

    var saved = await(jobs.put(job));
    var requests = new Requests(node.scheduling, node.store, WINDOW);
    assertThatThrownBy(() -> await(requests.trigger(saved.id(), Optional.of(payload), "me")))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("job must take at most 589824 bytes");
    assertThat(await(requests.trigger(saved.id(), Optional.empty(), "me"))).isNotNull();
  }

  /** Versions before the limit accepted such tasks. */
  @Test
  void a_task_larger_than_what_is_taken_in_today_is_carried_out_all_the_same() throws Exception {
    Work large = settings(390_000)
        .withMetadata(labels(150_000))
        .withWorkers(Map.of())
        .withPayload(noise(Payload.HIGHEST_LIMIT));
    Task pushed = task(large);
    Task pulled = task(large.withQueue("q"));
    node.put(Keys.queue("q"), Records.encode(new QueueRecord(QueueRecord.Mode.PULL, false, 1)));
    node.put(Keys.task(pushed.id()), Records.encode(pushed));
    node.put(Keys.task(pulled.id()), Records.encode(pulled));
    done = new CountDownLatch(2);
    schedule();
    work(new Launcher.Ending.Returned(new Result(0, "done", noise(Payload.HIGHEST_LIMIT))));
    awaitDone();
    assertThat(ran.stream().map(Task::id)).containsExactlyInAnyOrder(pushed.id(), pulled.id());
    assertThat(ran.stream().map(task -> task.work().withQueue("default").equals(large)))
        .containsOnly(true);
    assertThat(ended.stream().map(Task::stateName)).containsOnly(StateName.SUCCEEDED);
  }

  /** Bytes that cannot be deflated. */
  private Payload noise(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Payload.of("application/octet-stream", bytes, Payload.HIGHEST_LIMIT);
  }
}
