package io.belfry.core.reign;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Observer;
import io.belfry.core.keys.Keys;
import io.belfry.core.lead.LeadSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Forgotten;
import io.belfry.core.record.Records;
import io.belfry.core.record.Segment;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.work.Launcher;
import io.belfry.core.work.Worker;
import io.belfry.core.work.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Rate;
import io.belfry.model.job.Work;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.Token;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a new leader makes of what was begun before it, on a store in memory. */
class RatesTest {
  private static final int SECONDS = 60;
  private static final Limit THREE_AN_HOUR =
      Limit.rate(new Rate(3, Rate.Unit.HOUR)).by("k");

  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private final ExecutorService deliver = Executors.newSingleThreadExecutor();
  private final MemoryStore store = new MemoryStore(Time.system(), deliver);
  private final ThreadLoop loop =
      new ThreadLoop("all", Time.system(), new SplittableRandom(1), broken::set);
  private final SplittableRandom random = new SplittableRandom(1);
  private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();
  private long lots;

  @AfterEach
  void nothingBroke() {
    loop.close();
    store.close();
    deliver.shutdownNow();
    assertThat(broken.get()).isNull();
  }

  private void lead() {
    var scheduler = new Scheduler(
        loop,
        store,
        store,
        "node~1",
        LeadSettings.DEFAULT,
        ReignSettings.DEFAULT,
        Strategies.builtIn(),
        Observer.NOBODY);
    var worker = new Worker(
        loop,
        store,
        "1",
        WorkerSettings.of("worker", 100),
        (task, ended) -> {
          ran.add(task.work().name());
          ended.accept(new Launcher.Ending.Returned(Result.OK));
          return () -> {};
        },
        () -> WorkerRecord.Load.NONE);
    loop.post(scheduler::start);
    loop.post(worker::start);
  }

  private Task pending(String name, Limit limit, Instant at) {
    Work work = Work.of(name, ExecutorSpec.local("noop")).withLimit(limit);
    return Task.pending(TaskId.oneOff(at, random), work, Priority.NORMAL, at, at);
  }

  private void put(Key key, byte[] value) throws Exception {
    var commit = store.commit(Commit.when().put(key, value).build());
    assertThat(commit.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(Outcome.Done.class);
  }

  private void waits(String name, Limit limit) throws Exception {
    Task task = pending(name, limit, Time.system().wall());
    put(Keys.task(task.id()), Records.encode(task));
  }

  /** Given out by an earlier leader, and over. */
  private void ended(Duration ago) throws Exception {
    Instant at = Time.system().wall().minus(ago);
    Task task = pending("before", THREE_AN_HOUR, at);
    task = after(task, new Command.Assign(new Token(1), "w~1"), at);
    task = after(task, new Command.Complete(task.token(), at, Result.OK), at);
    put(Keys.freshHistory("w~1", ++lots), Records.encode(new Segment(true, List.of(task))));
  }

  private Task after(Task task, Command command, Instant at) {
    return switch (TaskLife.decide(task, command, at, random)) {
      case Decision.Accepted(var events) -> TaskLife.apply(task, events);
      case Decision.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  private String next() throws InterruptedException {
    return String.valueOf(ran.poll(SECONDS, TimeUnit.SECONDS));
  }

  /** What is not limited runs in the same turn as what may run of the rest. */
  private void nothingElseRuns() throws Exception {
    var submitter = new Submitter(loop, store, "client~1", Duration.ofDays(1), 100);
    loop.post(() -> {
      var unused = submitter.submit(
          Submission.of(pending("free", Limit.NONE, Time.system().wall())));
    });
    assertThat(next()).isEqualTo("free");
    assertThat(ran).isEmpty();
  }

  @Test
  void what_was_begun_within_the_window_counts_and_the_rest_goes_on_at_once() throws Exception {
    ended(Duration.ofMinutes(90));
    ended(Duration.ofMinutes(50));
    ended(Duration.ofMinutes(1));
    for (int i = 0; i < 3; i++) {
      waits("limited", THREE_AN_HOUR);
    }
    lead();
    assertThat(next()).isEqualTo("limited");
    nothingElseRuns();
  }

  @Test
  void where_history_is_forgotten_the_window_must_pass() throws Exception {
    put(
        Keys.FORGOTTEN,
        Records.encode(
            new Forgotten(Time.system().wall().minus(Duration.ofMinutes(10)).toEpochMilli())));
    waits("limited", THREE_AN_HOUR);
    lead();
    nothingElseRuns();
  }

  @Test
  void what_was_forgotten_before_the_window_does_not_matter() throws Exception {
    put(
        Keys.FORGOTTEN,
        Records.encode(
            new Forgotten(Time.system().wall().minus(Duration.ofMinutes(61)).toEpochMilli())));
    waits("limited", THREE_AN_HOUR);
    lead();
    assertThat(next()).isEqualTo("limited");
  }
}
