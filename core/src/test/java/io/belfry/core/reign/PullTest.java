package io.belfry.core.reign;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Happening;
import io.belfry.core.keys.Keys;
import io.belfry.core.lead.LeadSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.PayloadPath;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.work.Launcher;
import io.belfry.core.work.Worker;
import io.belfry.core.work.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.MemoryStore;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A leader, a worker and a submitter together, on a store in memory. */
class PullTest {
  private static final int SECONDS = 60;

  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private final ExecutorService deliver = Executors.newSingleThreadExecutor();
  private final MemoryStore store = new MemoryStore(Time.system(), deliver);
  private final ThreadLoop scheduling = loop("scheduling");
  private final ThreadLoop working = loop("working");
  private final SplittableRandom random = new SplittableRandom(1);
  private final Map<TaskId, Payload> ran = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Happening> heard = new ConcurrentLinkedQueue<>();
  private final Submitter submitter =
      new Submitter(scheduling, store, "node~1", Duration.ofDays(1), 10_000);
  private CountDownLatch done = new CountDownLatch(0);

  private ThreadLoop loop(String name) {
    return new ThreadLoop(name, Time.system(), new SplittableRandom(1), broken::set);
  }

  @AfterEach
  void nothingBroke() {
    working.close();
    scheduling.close();
    store.close();
    deliver.shutdownNow();
    assertThat(broken.get()).isNull();
  }

  private void schedule(IntakeSettings intake) {
    var scheduler = new Scheduler(
        scheduling,
        store,
        store,
        "node~1",
        LeadSettings.DEFAULT,
        ReignSettings.DEFAULT.with(intake),
        Strategies.builtIn(),
        heard::add);
    scheduling.post(scheduler::start);
  }

  private void work(int capacity) {
    var worker = new Worker(
        working,
        store,
        "1",
        WorkerSettings.of("worker", capacity),
        (task, ended) -> {
          ran.put(task.id(), task.work().payload());
          done.countDown();
          ended.accept(new Launcher.Ending.Returned(Result.OK));
          return () -> {};
        },
        () -> WorkerRecord.Load.NONE);
    working.post(worker::start);
  }

  private void mode(QueueRecord.Mode mode, long generation) throws Exception {
    get(store.commit(Commit.when()
        .put(Keys.queue("q"), Records.encode(new QueueRecord(mode, false, generation)))
        .build()));
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
    mode(QueueRecord.Mode.PULL, 1);
    schedule(IntakeSettings.DEFAULT);
    work(7);
    List<Task> tasks = submit(200, Payload.json("1"));
    awaitDone();
    assertThat(ran).hasSize(200);
    assertThat(get(store.get(List.of(Keys.offer("q"))))).hasSize(1);
    TaskId first = tasks.getFirst().id();
    List<String> kinds = heard.stream()
        .filter(each -> each instanceof Happening.OfTask of && of.task().id().equals(first))
        .map(each -> each.getClass().getSimpleName())
        .toList();
    assertThat(kinds).startsWith("TaskSubmitted", "TaskScheduled").doesNotHaveDuplicates();
  }

  @Test
  void nothing_is_lost_or_doubled_when_the_mode_is_switched_while_tasks_run() throws Exception {
    done = new CountDownLatch(300);
    schedule(IntakeSettings.DEFAULT);
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
    schedule(new IntakeSettings(PayloadPath.NONE, 1000, 0));
    var tasks = submit(100, Payload.json("{\"customer\": 17}"));
    work(5);
    awaitDone();
    assertThat(ran.values()).containsOnly(Payload.json("{\"customer\": 17}"));
    assertThat(ran.keySet()).containsAll(tasks.stream().map(Task::id).toList());
  }

  @Test
  void a_payload_of_the_highest_limit_is_carried_in_both_modes() throws Exception {
    byte[] noise = new byte[Payload.HIGHEST_LIMIT];
    random.nextBytes(noise);
    Payload heavy = Payload.of("application/octet-stream", noise, Payload.HIGHEST_LIMIT);
    done = new CountDownLatch(8);
    schedule(IntakeSettings.DEFAULT);
    work(5);
    var unused = submit(4, heavy);
    mode(QueueRecord.Mode.PULL, 1);
    unused = submit(4, heavy);
    awaitDone();
    assertThat(ran.values()).hasSize(8).containsOnly(heavy);
  }

  @Test
  void submitting_more_than_may_wait_is_refused_until_there_is_room() throws Exception {
    schedule(new IntakeSettings(PayloadPath.NONE, 20, 1 << 20));
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
