package io.belfry.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Happening;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.Loop;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Rollup;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reported starts and durations of attempts, by a leader and a worker whose wall clocks may differ. */
class AttemptTimesTest {
  private static final Duration TAKES = Duration.ofMillis(1700);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration A_WHILE = Duration.ofSeconds(10);

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final MemoryStore memory = new MemoryStore(time, Runnable::run);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final List<Happening> heard = new ArrayList<>();
  /** When code really started, and ended, by the leader's wall clock. */
  private final List<Instant> really = new ArrayList<>();

  /** The same loop, with another wall clock. */
  private record Elsewhere(Loop loop, Duration off) implements Loop {
    @Override
    public Time time() {
      return new Time() {
        @Override
        public Instant wall() {
          return loop.time().wall().plus(off);
        }

        @Override
        public long nanos() {
          return loop.time().nanos();
        }
      };
    }

    @Override
    public RandomGenerator random() {
      return loop.random();
    }

    @Override
    public void post(Runnable step) {
      loop.post(step);
    }

    @Override
    public Timer after(Duration delay, Runnable step) {
      return loop.after(delay, step);
    }
  }

  /** The first report, of the start, arrives; that of the end does not. */
  private static final class NoEnd extends DelegatingStore {
    private boolean began;

    NoEnd(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      boolean report = commit.writes().stream().anyMatch(w -> w.key().space().equals(Keys.TASKS));
      boolean lost = report && began;
      began |= report;
      return lost ? new CompletableFuture<>() : store.commit(commit);
    }
  }

  private void schedule() {
    new Scheduler(
            loop,
            memory,
            memory,
            "node~1",
            ElectionSettings.DEFAULT,
            LeaderSettings.DEFAULT,
            Strategies.builtIn(),
            heard::add)
        .start();
  }

  private void work(Store store, Duration off, Duration takes) {
    var there = new Elsewhere(loop, off);
    new Worker(
            there,
            store,
            "1",
            WorkerSettings.of("w", 5),
            (task, ended) -> {
              really.add(time.wall());
              var unused = loop.after(takes, () -> {
                really.add(time.wall());
                ended.accept(new Launcher.Ending.Returned(Result.OK));
              });
              return () -> {};
            },
            () -> WorkerRecord.Load.NONE,
            new LeaseLosses())
        .start();
  }

  private void submit(Work work) {
    Task task = Task.pending(
        TaskId.oneOff(time.wall(), loop.random()), work, Priority.NORMAL, time.wall(), time.wall());
    var unused =
        new Submitter(loop, memory, "node~1", Duration.ofDays(1), 10).submit(Submission.of(task));
  }

  private static Work work() {
    return Work.of("t", ExecutorSpec.local("noop")).withTimeout(TIMEOUT);
  }

  private <T extends Happening.OfTask> Task told(Class<T> kind) {
    List<Task> told = heard.stream()
        .filter(kind::isInstance)
        .map(each -> kind.cast(each).task())
        .toList();
    assertThat(told).hasSize(1);
    return told.getFirst();
  }

  private Task carriedOut(Work work, Duration off) {
    schedule();
    work(memory, off, TAKES);
    loop.run(A_WHILE);
    submit(work);
    loop.run(A_WHILE);
    return told(Happening.TaskCompleted.class);
  }

  @Nested
  class Of_what_takes_longer_than_a_moment {
    @Test
    void start_run_time_and_lateness_are_those_of_its_code() {
      Task done = carriedOut(work(), Duration.ZERO);
      Instant began = really.getFirst();
      assertThat(told(Happening.TaskStarted.class).state()).isInstanceOf(TaskState.Running.class);
      assertThat(told(Happening.TaskStarted.class).started()).contains(began);
      assertThat(done.started()).contains(began);
      EndedAttempt attempt = done.history().latest().orElseThrow();
      assertThat(attempt.started()).contains(began);
      assertThat(attempt.took()).contains(TAKES);

      var asTold = new Rollup();
      asTold.add(done);
      var asItWas = new Rollup();
      asItWas.runTime().add(TAKES);
      asItWas.lateness().add(Duration.between(done.scheduled(), began));
      assertThat(asTold.runTime()).isEqualTo(asItWas.runTime());
      assertThat(asTold.lateness()).isEqualTo(asItWas.lateness());
    }

    @Test
    void at_most_once_it_started_when_the_store_was_asked() {
      Task done = carriedOut(work().onlyOnce(), Duration.ZERO);
      assertThat(done.started().orElseThrow()).isBeforeOrEqualTo(really.getFirst());
      assertThat(done.history().latest().orElseThrow().took()).contains(TAKES);
    }

    @Test
    void a_worker_whose_clock_is_behind_tells_a_right_run_time_from_when_it_was_given_the_task() {
      Task done = carriedOut(work(), Duration.ofHours(-1));
      EndedAttempt attempt = done.history().latest().orElseThrow();
      assertThat(attempt.started()).contains(attempt.attempt().assigned());
      assertThat(attempt.took()).contains(TAKES);
    }

    @Test
    void a_worker_whose_clock_is_ahead_tells_a_right_run_time_by_that_clock() {
      Task done = carriedOut(work(), Duration.ofHours(1));
      EndedAttempt attempt = done.history().latest().orElseThrow();
      assertThat(attempt.started()).contains(really.getFirst().plus(Duration.ofHours(1)));
      assertThat(attempt.took()).contains(TAKES);
    }
  }

  @Nested
  class Of_what_never_ends {
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void the_timeout_passes_in_its_time_whatever_the_worker_s_clock_says(int hours) {
      schedule();
      work(new NoEnd(memory), Duration.ofHours(hours), Duration.ofHours(3));
      loop.run(A_WHILE);
      submit(work());
      loop.run(Duration.ofSeconds(2));
      assertThat(told(Happening.TaskStarted.class).state()).isInstanceOf(TaskState.Running.class);

      loop.run(TIMEOUT);
      assertThat(heard).noneMatch(Happening.TaskRetrying.class::isInstance);
      loop.run(Duration.ofSeconds(20));
      EndedAttempt attempt =
          told(Happening.TaskRetrying.class).history().latest().orElseThrow();
      assertThat(attempt.ending())
          .isInstanceOfSatisfying(
              EndedAttempt.Ending.Failed.class,
              failed -> assertThat(failed.failure().kind()).isEqualTo(FailureKind.TIMEOUT));
    }
  }
}
