package io.belfry.core.leader.rescue;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.event.Happening;
import io.belfry.core.keys.Keys;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Guard;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What becomes of attempts of which their worker says nothing. */
class RescueTest {
  private static final Duration A_WHILE = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** Some commits stay under way until they are carried out, and their answers until those are told. */
  private static final class Slow extends DelegatingStore {
    private final Predicate<Commit> which;
    final List<Runnable> underWay = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();

    Slow(Store store, Predicate<Commit> which) {
      super(store);
      this.which = which;
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      if (!which.test(commit)) {
        return store.commit(commit);
      }
      var answer = new CompletableFuture<Outcome>();
      underWay.add(() -> {
        var unused =
            store.commit(commit).thenAccept(outcome -> answers.add(() -> answer.complete(outcome)));
      });
      return answer;
    }

    void carryOut() {
      runAll(underWay);
    }

    void answer() {
      runAll(answers);
    }

    private static void runAll(List<Runnable> steps) {
      List<Runnable> all = List.copyOf(steps);
      steps.clear();
      all.forEach(Runnable::run);
    }
  }

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

  private static boolean isReport(Commit commit) {
    return commit.writes().stream().anyMatch(write -> write.key().space().equals(Keys.REPORTS));
  }

  private static boolean isRescue(Commit commit) {
    return commit.guards().stream()
        .anyMatch(
            guard -> guard instanceof Guard.Absent && guard.key().space().equals(Keys.WORKERS));
  }

  @Test
  void an_attempt_that_nobody_reports_fails_when_its_timeout_is_well_over() {
    var crew = new StepCrew();
    var silent = new Slow(crew.memory, RescueTest::isReport);
    crew.worker(silent, WorkerSettings.of("w", 1), true);
    crew.loop.run(A_WHILE);
    TaskId task = crew.submit(StepCrew.work().withTimeout(TIMEOUT).withRetry(RetryPolicy.NONE));
    crew.loop.run(TIMEOUT.plusSeconds(9));
    assertThat(crew.stands(task).state()).isInstanceOf(TaskState.Held.class);

    crew.loop.run(Duration.ofSeconds(7));
    assertThat(crew.told(Happening.TaskFailed.class)).singleElement().satisfies(failed -> {
      assertThat(failed.id()).isEqualTo(task);
      assertThat(failed.attempts()).isEqualTo(1);
      assertThat(failed.state())
          .isInstanceOfSatisfying(
              TaskState.Failed.class,
              how -> assertThat(how.failure().kind()).isEqualTo(FailureKind.TIMEOUT));
    });

    // The place is free again, and the report that comes late counts for nothing.
    TaskId next = crew.submit(StepCrew.work());
    for (int i = 0; i < 3; i++) {
      silent.carryOut();
      silent.answer();
      crew.loop.run(Duration.ofSeconds(1));
    }
    assertThat(crew.launched).extracting(code -> code.task.id()).containsExactly(task, next);
    assertThat(crew.told(Happening.TaskFailed.class)).hasSize(1);
    assertThat(crew.told(Happening.TaskRetrying.class)).isEmpty();
  }

  /** A leader whose rescue was refused, because the worker was back, and who has not been told so yet. */
  private static final class Refused {
    final List<Slow> leaders = new ArrayList<>();
    final StepCrew crew = new StepCrew(store -> {
      leaders.add(new Slow(store, RescueTest::isRescue));
      return leaders.getFirst();
    });
    final Slow leader = leaders.getFirst();
    final Link link = new Link(crew.memory);
    final TaskId task;

    Refused() {
      crew.worker(link, WorkerSettings.of("w", 1), false);
      crew.loop.run(A_WHILE);
      task = crew.submit(StepCrew.work());
      crew.loop.run(Duration.ofSeconds(1));
      link.cut = true;
      crew.loop.run(Duration.ofSeconds(4));
      assertThat(leader.underWay).hasSize(1);
      link.cut = false;
      crew.loop.run(Duration.ofSeconds(1));
      leader.carryOut();
    }
  }

  @Test
  void what_is_heard_before_a_rescue_is_known_to_be_refused_is_not_lost() {
    var it = new Refused();
    it.crew.launched.getFirst().succeed();
    it.crew.loop.run(Duration.ofSeconds(1));
    it.leader.answer();
    it.crew.loop.run(Duration.ofMillis(10));
    assertThat(it.crew.told(Happening.TaskCompleted.class)).hasSize(1);
  }

  @Test
  void a_worker_that_was_back_and_has_left_again_meanwhile_is_rescued_from_all_the_same() {
    var it = new Refused();
    it.link.cut = true;
    it.crew.loop.run(Duration.ofSeconds(5));
    it.leader.answer();
    it.crew.loop.run(Duration.ofSeconds(1));
    it.leader.carryOut();
    it.leader.answer();
    it.crew.loop.run(Duration.ofSeconds(1));
    assertThat(it.crew.stands(it.task).state()).isInstanceOf(TaskState.Pending.class);
  }
}
