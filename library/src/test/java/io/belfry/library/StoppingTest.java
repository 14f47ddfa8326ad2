package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.event.Happening.LeaderChanged;
import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.event.Happening.WorkerLeft;
import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.Executor;
import io.belfry.core.keys.Keys;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.task.Result;
import io.belfry.model.task.TaskId;
import io.belfry.store.CommitObserver;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoppingTest {
  @TempDir
  Path directory;

  private Settings embedded() {
    return Settings.defaults().store("embedded:" + directory).node("n");
  }

  @Test
  void a_process_that_stops_leaves_none_of_its_own_messages_behind() {
    var heard = new RecordedEvents();
    try (Belfry belfry = Belfry.open(embedded())) {
      belfry.handle("noop", attempt -> {});
      var unused = heard.from(belfry);
      heard.await(TaskCompleted.class, belfry.submit(Submission.local("noop")));
      assertThat(messages(belfry.parts.state)).isNotEmpty();
    }
    Options options = embedded().options();
    try (Store store = options.store.open(options.prefix, options.namespace, CommitObserver.NONE)) {
      assertThat(messages(store)).isEmpty();
    }
  }

  private static List<Key> messages(Store store) {
    return List.of(Keys.NEWS, Keys.REPORTS).stream()
        .flatMap(
            space -> store.scan(Scan.all(space)).toCompletableFuture().join().entries().stream())
        .map(Entry::key)
        .toList();
  }

  @Test
  void what_does_not_finish_in_time_is_handed_back_and_runs_after_the_next_start()
      throws Exception {
    var begun = new CountDownLatch(1);
    TaskId id;
    try (Belfry first = Belfry.open(embedded())) {
      first.handle("slow", attempt -> {
        begun.countDown();
        new CountDownLatch(1).await();
      });
      id = first.submit(Submission.local("slow"));
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
      first.stop(Duration.ofMillis(100));
      first.stop(Duration.ofMillis(100));
      assertThatThrownBy(() -> first.submit(Submission.local("slow")))
          .isInstanceOf(StoreException.Closed.class);
    }
    var heard = new RecordedEvents();
    try (Belfry second = Belfry.open(embedded(), heard::from)) {
      second.handle("slow", attempt -> {});
      var done = heard.await(TaskCompleted.class, id).task();
      assertThat(done.history().total()).isEqualTo(2);
      assertThat(done.history().failed()).isZero();
    }
  }

  @Test
  void a_worker_that_has_long_been_idle_leaves() {
    var heard = new RecordedEvents();
    Settings settings = embedded().workerIdleTimeout(Duration.ofMillis(300));
    try (Belfry belfry = Belfry.open(settings, heard::from)) {
      heard.await(WorkerLeft.class, left -> true, 1);
      assertThat(belfry.workers()).isEmpty();
    }
  }

  @Test
  void an_unhealthy_worker_is_given_nothing_until_it_is_healthy_again() {
    var healthy = new AtomicBoolean();
    var heard = new RecordedEvents();
    Settings settings =
        embedded().healthCheck(healthy::get).workerHeartbeat(Duration.ofMillis(100));
    try (Belfry belfry = Belfry.open(settings, heard::from)) {
      belfry.handleDefault(String.class, (text, attempt) -> attempt.log(text));
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.workers().stream()
              .anyMatch(worker -> !worker.healthy() && !worker.accepting()));
      TaskId id = belfry.submit(Submission.unnamed("hello"));
      assertThat(belfry.task(id)).isPresent();
      healthy.set(true);
      heard.await(TaskCompleted.class, id);
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.log(id).equals(Optional.of("hello\n")));
      assertThat(belfry.workers()).allMatch(worker -> worker.healthy());
    }
  }

  @Test
  void when_the_leader_stops_the_other_node_goes_on_firing() {
    try (RedisServer redis = RedisServer.start()) {
      Settings settings = Settings.defaults().store(redis.uri());
      var first = new RecordedEvents();
      var second = new RecordedEvents();
      try (Belfry a = Belfry.open(settings.node("a"), first::from)) {
        first.await(LeaderChanged.class, won -> true, 1);
        try (Belfry b = Belfry.open(settings.node("b"), second::from)) {
          a.handle("tick", attempt -> {});
          b.handle("tick", attempt -> {});
          a.jobs()
              .save(Job.named("every-second")
                  .cron("* * * * * *", ZoneOffset.UTC)
                  .local("tick")
                  .build());
          first.await(TaskCompleted.class, done -> true, 2);
          assertThat(a.isLeader()).isTrue();
          assertThat(b.isLeader()).isFalse();
          assertThat(b.leader()).hasValue(a.nodeId());
          a.close();
          second.await(LeaderChanged.class, won -> won.term().number() == 2, 1);
          second.await(TaskCompleted.class, done -> done.task().id().isFire(), 2);
          assertThat(b.isLeader()).isTrue();
          assertThat(b.metrics().elections()).isEqualTo(2);
        }
      }
    }
  }

  @Test
  void whoever_waits_when_the_node_stops_is_told() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Belfry belfry = Belfry.open(Settings.defaults()
            .store(redis.uri())
            .roles(Set.of())
            .callTimeout(Duration.ofMinutes(5)))) {
      belfry.jobs().save(Job.named("known").local("noop").build());
      redis.kill();
      List<Callable<?>> calls = List.of(
          () -> belfry.submit(Submission.local("noop")),
          () -> belfry.jobs().save(Job.named("new").local("noop").build()),
          () -> belfry.jobs().trigger("known"));
      var failures = new ArrayList<CompletableFuture<Throwable>>();
      for (Callable<?> call : calls) {
        var failure = new CompletableFuture<Throwable>();
        failures.add(failure);
        Thread.ofVirtual().start(() -> {
          try {
            failure.completeExceptionally(new AssertionError("answered " + call.call()));
          } catch (Exception e) {
            failure.complete(e);
          }
        });
      }
      belfry.stop(Duration.ZERO);
      for (var failure : failures) {
        assertThat(RecordedEvents.get(failure)).isInstanceOf(StoreException.class);
      }
    }
  }

  /** Returns its type at the first call only. */
  private static final class Fickle extends Own {
    private boolean asked;

    Fickle() {
      super("fickle");
    }

    @Override
    public String type() {
      if (asked) {
        throw new IllegalStateException("on purpose");
      }
      asked = true;
      return super.type();
    }
  }

  @Test
  void what_was_opened_is_closed_again_when_the_rest_cannot_be_put_together() {
    assertThatThrownBy(() -> Belfry.open(embedded().executor(new Fickle())))
        .hasMessage("on purpose");
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("belfry-scheduler", "belfry-worker");
    try (Belfry again =
        Belfry.open(embedded())) { // which the first would not let it, if it had the directory
      assertThat(again.submit(Submission.local("noop"))).isNotNull();
    }
  }

  /** Records the calls that it receives. */
  private static class Own implements Executor {
    private final String type;
    final List<String> said = new CopyOnWriteArrayList<>();

    Own(String type) {
      this.type = type;
    }

    @Override
    public String type() {
      return type;
    }

    @Override
    public Result execute(AttemptContext attempt) throws Exception {
      try {
        said.add("begun");
        new CountDownLatch(1).await();
        return Result.OK;
      } finally {
        said.add("ended");
      }
    }

    @Override
    public void close() {
      said.add("closed");
    }
  }

  @Test
  void executors_are_closed_once_when_their_attempts_have_ended_whatever_others_do() {
    var good = new Own("good");
    var throwing = new Own("throwing") {
      @Override
      public void close() {
        super.close();
        throw new IllegalStateException("on purpose");
      }
    };
    var released = new CountDownLatch(1);
    var hanging = new Own("hanging") {
      @Override
      public void close() {
        super.close();
        try {
          released.await();
        } catch (InterruptedException e) {
          said.add("interrupted");
        }
      }
    };
    try (Belfry belfry =
        Belfry.open(embedded().executor(hanging).executor(throwing).executor(good))) {
      belfry
          .jobs()
          .save(Job.named("j").executor(new ExecutorSpec("good", Map.of())).build());
      belfry.jobs().trigger("j");
      Awaitility.await().atMost(RecordedEvents.LONG).until(() -> good.said.contains("begun"));
      belfry.stop(Duration.ZERO);
    }
    assertThat(good.said).containsExactly("begun", "ended", "closed");
    assertThat(throwing.said).containsExactly("closed");
    assertThat(hanging.said).containsExactly("closed");
    released.countDown();
  }

  @Test
  void executors_of_a_node_without_a_worker_are_closed_as_well() {
    var own = new Own("own");
    Belfry.open(embedded().roles(Set.of()).executor(own)).close();
    assertThat(own.said).containsExactly("closed");
  }
}
