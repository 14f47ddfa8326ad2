package io.belfry.core.leader.assign;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.event.Happening;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.BackpressureSettings;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.node.SmallNode;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.core.submit.PayloadPath;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.Token;
import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A leader, a worker and a submitter together, on a store in memory. */
class PullTest {
  private static final int SECONDS = 60;

  private final SmallNode node = new SmallNode();
  private final SplittableRandom random = new SplittableRandom(1);
  private final Map<TaskId, Payload> ran = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Happening> heard = new ConcurrentLinkedQueue<>();
  private final Submitter submitter =
      new Submitter(node.scheduling, node.store, "node~1", Duration.ofDays(1), 10_000);
  private CountDownLatch done = new CountDownLatch(0);
  private CountDownLatch ended = new CountDownLatch(0);

  @AfterEach
  void nothingBroke() {
    node.close();
  }

  private void schedule(BackpressureSettings backpressure) {
    node.schedule(LeaderSettings.DEFAULT.with(backpressure), this::hear);
  }

  private void hear(Happening happening) {
    heard.add(happening);
    if (happening instanceof Happening.TaskCompleted) {
      ended.countDown();
    }
  }

  private void work(int capacity) {
    node.work(capacity, task -> {
      ran.put(task.id(), task.work().payload());
      done.countDown();
    });
  }

  private void mode(QueueRecord.Mode mode, long generation) {
    node.put(Keys.queue("q"), Records.encode(new QueueRecord(mode, false, generation)));
  }

  private Task task(Payload payload) {
    Instant now = Time.system().wall();
    Work work = Work.of("t", ExecutorSpec.local("noop")).withQueue("q").withPayload(payload);
    return Task.pending(TaskId.oneOff(now, random), work, Priority.NORMAL, now, now);
  }

  private List<Task> submit(int count, Payload payload) throws Exception {
    var tasks = new ArrayList<Task>();
    var receipts = new ArrayList<CompletionStage<Receipt>>();
    for (int i = 0; i < count; i++) {
      tasks.add(task(payload));
      receipts.add(submitter.submit(Submission.of(tasks.getLast())));
    }
    for (CompletionStage<Receipt> receipt : receipts) {
      get(receipt);
    }
    return tasks;
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
  }

  private void awaitDone() throws InterruptedException {
    assertThat(done.await(SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void workers_claim_what_is_offered_and_events_come_in_order() throws Exception {
    done = new CountDownLatch(200);
    ended = new CountDownLatch(200);
    mode(QueueRecord.Mode.PULL, 1);
    schedule(BackpressureSettings.DEFAULT);
    work(7);
    List<Task> tasks = submit(200, Payload.json("1"));
    awaitDone();
    assertThat(ran).hasSize(200);
    assertThat(get(node.store.get(List.of(Keys.offer("q"))))).hasSize(1);
    // The leader hears of claims and ends only after the code has run.
    assertThat(ended.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    TaskId first = tasks.getFirst().id();
    List<String> kinds = heard.stream()
        .filter(each -> each instanceof Happening.OfTask of && of.task().id().equals(first))
        .map(each -> each.getClass().getSimpleName())
        .toList();
    assertThat(kinds)
        .startsWith("TaskSubmitted", "TaskScheduled")
        .endsWith("TaskCompleted")
        .doesNotHaveDuplicates();
  }

  @Test
  void nothing_is_lost_or_doubled_when_the_mode_is_switched_while_tasks_run() throws Exception {
    done = new CountDownLatch(300);
    schedule(BackpressureSettings.DEFAULT);
    work(3);
    for (int i = 1; i <= 10; i++) {
      mode(i % 2 == 1 ? QueueRecord.Mode.PULL : QueueRecord.Mode.PUSH, i);
      var unused = submit(30, Payload.EMPTY);
    }
    awaitDone();
    assertThat(ran).hasSize(300);
    assertThat(done.getCount()).isZero();
  }

  @Test
  void payloads_that_the_leader_does_not_keep_reach_the_worker_all_the_same() throws Exception {
    done = new CountDownLatch(100);
    schedule(new BackpressureSettings(PayloadPath.NONE, 1000, 0));
    var tasks = submit(100, Payload.json("{\"customer\": 17}"));
    work(5);
    awaitDone();
    assertThat(ran.values()).containsOnly(Payload.json("{\"customer\": 17}"));
    assertThat(ran.keySet()).containsAll(tasks.stream().map(Task::id).toList());
  }

  @Test
  void payloads_of_held_tasks_are_read_to_tell_them_again_and_to_rescue_them() throws Exception {
    Payload payload = Payload.json("{\"customer\": 17}");
    done = new CountDownLatch(2);
    for (String worker : List.of("worker~1", "gone~1")) {
      Task task = assigned(task(payload), worker);
      node.put(Keys.task(task.id()), Records.encode(task));
    }
    schedule(new BackpressureSettings(PayloadPath.NONE, 1000, 0));
    work(5);
    awaitDone();
    assertThat(ran).hasSize(2);
    assertThat(ran.values()).containsOnly(payload);
  }

  private Task assigned(Task task, String worker) {
    var assign = new Command.Assign(new Token(1), worker);
    return switch (TaskLife.decide(task, assign, Time.system().wall(), random)) {
      case Decision.Accepted(var events) -> TaskLife.apply(task, events);
      case Decision.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  @Test
  void a_payload_of_the_highest_limit_is_carried_in_both_modes() throws Exception {
    byte[] noise = new byte[Payload.HIGHEST_LIMIT];
    random.nextBytes(noise);
    Payload heavy = Payload.of("application/octet-stream", noise, Payload.HIGHEST_LIMIT);
    done = new CountDownLatch(8);
    schedule(BackpressureSettings.DEFAULT);
    work(5);
    var unused = submit(4, heavy);
    mode(QueueRecord.Mode.PULL, 1);
    unused = submit(4, heavy);
    awaitDone();
    assertThat(ran.values()).hasSize(8).containsOnly(heavy);
  }

  @Test
  void submitting_more_than_may_wait_is_refused_until_there_is_room() throws Exception {
    schedule(new BackpressureSettings(PayloadPath.NONE, 20, 1 << 20));
    boolean refused = false;
    int taken = 0;
    while (!refused && taken < 100_000) {
      try {
        get(submitter.submit(Submission.of(task(Payload.EMPTY))));
        taken++;
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(StoreException.Overloaded.class);
        assertThat(e).hasMessageContaining("pendingMax");
        refused = true;
      }
    }
    assertThat(refused).isTrue();
    assertThat(taken).isGreaterThanOrEqualTo(20);
    done = new CountDownLatch(taken);
    work(50);
    awaitDone();
    boolean room = false;
    long until = Time.system().nanos() + Duration.ofSeconds(SECONDS).toNanos();
    while (!room && Time.system().nanos() - until < 0) {
      try {
        get(submitter.submit(Submission.of(task(Payload.EMPTY))));
        room = true;
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(StoreException.Overloaded.class);
      }
    }
    assertThat(room).isTrue();
  }
}
