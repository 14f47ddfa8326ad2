package io.belfry.core.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.log.LogWriter;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class VirtualThreadLauncherTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  private final LocalExecutor local = new LocalExecutor(Time.system(), Duration.ZERO);
  private final ThreadLoop loop =
      new ThreadLoop("worker", Time.system(), new SplittableRandom(1), thrown -> {});
  private final MemoryStore store = new MemoryStore(Time.system(), Runnable::run);
  private final LogWriter scribe = new LogWriter(loop, store, "w~1", OptionalLong::empty);
  private final VirtualThreadLauncher launcher =
      new VirtualThreadLauncher(ExecutorRegistry.of(List.of(local)), scribe::open, Time.system());

  @AfterEach
  void nothing_is_left_running() throws InterruptedException {
    assertThat(launcher.close(Duration.ofSeconds(10))).isZero();
    loop.close();
    store.close();
  }

  private static Task task(ExecutorSpec executor) {
    Work work =
        Work.of("t", executor).withPayload(Payload.json("7")).withMetadata(Map.of("team", "x"));
    return Task.pending(TaskId.parse("t"), work, Priority.NORMAL, NOW, NOW).withKey("mine");
  }

  private CompletableFuture<Ending> start(ExecutorSpec executor) {
    var ended = new CompletableFuture<Ending>();
    launcher.start(task(executor), ended::complete);
    return ended;
  }

  private Ending run(LocalExecutor.Handler handler) throws Exception {
    local.handle("h", handler);
    return start(ExecutorSpec.local("h")).get(10, TimeUnit.SECONDS);
  }

  private static Failure failure(Ending ending) {
    assertThat(ending).isInstanceOf(Ending.Failed.class);
    return ((Ending.Failed) ending).failure();
  }

  @Nested
  class Outcomes {
    @Test
    void what_code_returns_is_the_result() throws Exception {
      assertThat(run(attempt -> Result.of(0, "fine")))
          .isEqualTo(new Ending.Returned(Result.of(0, "fine")));
    }

    @Test
    void what_code_throws_is_told_with_its_class_and_its_causes() throws Exception {
      Failure failure = failure(run(attempt -> {
        throw new IllegalStateException("boom", new ArithmeticException("by zero"));
      }));
      assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
      assertThat(failure.result().message())
          .isEqualTo(
              "java.lang.IllegalStateException: boom; caused by java.lang.ArithmeticException: by zero");
    }

    @Test
    void a_huge_message_is_clipped() throws Exception {
      Failure failure = failure(run(attempt -> {
        throw new IllegalStateException("x".repeat(1 << 20));
      }));
      assertThat(failure.result().message()).hasSizeLessThan(5000).contains("characters");
    }

    @Test
    void an_exception_whose_message_throws_is_a_failure_too() throws Exception {
      Failure failure = failure(run(attempt -> {
        throw new Hostile();
      }));
      assertThat(failure.result().message()).contains("Hostile").contains("could not be read");
    }

    @Test
    void errors_of_the_code_are_failures() throws Exception {
      assertThat(failure(run(attempt -> {
                throw new AssertionError("wrong");
              }))
              .result()
              .message())
          .contains("AssertionError: wrong");
      assertThat(failure(run(attempt -> overflow(1))).kind()).isEqualTo(FailureKind.ERROR);
    }

    @SuppressWarnings("InfiniteRecursion")
    private static Result overflow(int depth) {
      return overflow(depth + 1);
    }

    @Test
    void code_may_say_itself_that_it_would_always_refuse() throws Exception {
      assertThat(failure(run(attempt -> {
            throw AttemptException.rejected("never");
          })))
          .isEqualTo(Failure.rejected("never"));
    }

    private static final class Hostile extends RuntimeException {
      private static final long serialVersionUID = 1;

      @Override
      public String getMessage() {
        throw new IllegalStateException("not even that");
      }
    }
  }

  @Nested
  class Finding {
    @Test
    void an_unknown_executor_is_rejected_with_those_there_are() throws Exception {
      Ending ending = start(new ExecutorSpec("fax", Map.of())).get(10, TimeUnit.SECONDS);
      assertThat(failure(ending).kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failure(ending).result().message()).contains("local").contains("\"fax\"");
    }

    @Test
    void an_unknown_handler_is_rejected_with_those_there_are() throws Exception {
      local.handle("a", attempt -> Result.OK);
      Failure failure = failure(start(ExecutorSpec.local("b")).get(10, TimeUnit.SECONDS));
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failure.result().message()).contains("(a)").contains("\"b\"");
    }

    @Test
    void tasks_that_name_no_handler_go_to_the_default() throws Exception {
      var none = new ExecutorSpec("local", Map.of());
      assertThat(failure(start(none).get(10, TimeUnit.SECONDS)).kind())
          .isEqualTo(FailureKind.REJECTED);
      local.handleDefault(attempt -> Result.of(0, "default"));
      assertThat(start(none).get(10, TimeUnit.SECONDS))
          .isEqualTo(new Ending.Returned(Result.of(0, "default")));
    }

    @Test
    void an_attempt_that_is_early_waits_for_its_handler() throws Exception {
      var patient = new LocalExecutor(Time.system(), Duration.ofSeconds(30));
      var early = new VirtualThreadLauncher(
          ExecutorRegistry.of(List.of(patient)), scribe::open, Time.system());
      var ended = new CompletableFuture<Ending>();
      early.start(task(ExecutorSpec.local("late")), ended::complete);
      patient.handle("other", attempt -> Result.OK);
      assertThat(ended).isNotDone();
      patient.handle("late", attempt -> Result.OK);
      assertThat(ended.get(10, TimeUnit.SECONDS)).isEqualTo(new Ending.Returned(Result.OK));
      assertThat(early.close(Duration.ofSeconds(10))).isZero();
    }
  }

  @Nested
  class Stopping {
    @Test
    void an_interrupt_reaches_the_code_and_its_context() throws Exception {
      var begun = new CountDownLatch(1);
      var sawIt = new CompletableFuture<Boolean>();
      local.handle("h", attempt -> {
        begun.countDown();
        try {
          new CountDownLatch(1).await();
        } finally {
          sawIt.complete(attempt.cancelled());
        }
        return Result.OK;
      });
      var ended = new CompletableFuture<Ending>();
      var started = launcher.start(task(ExecutorSpec.local("h")), ended::complete);
      assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
      started.interrupt();
      started.interrupt();
      assertThat(failure(ended.get(10, TimeUnit.SECONDS)).result().message())
          .contains("interrupted");
      assertThat(sawIt.get(10, TimeUnit.SECONDS)).isTrue();
      assertThat(launcher.running()).isZero();
    }

    @Test
    void closing_counts_code_that_ignores_interruption_and_does_not_wait_for_ever()
        throws Exception {
      var release = new CountDownLatch(1);
      var begun = new CountDownLatch(1);
      local.handle("deaf", attempt -> {
        begun.countDown();
        boolean released = false;
        while (!released) {
          try {
            released = release.await(1, TimeUnit.MINUTES);
          } catch (InterruptedException e) {
            attempt.log("ignored");
          }
        }
        return Result.OK;
      });
      var ended = start(ExecutorSpec.local("deaf"));
      assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(launcher.close(Duration.ofMillis(50))).isEqualTo(1);
      assertThat(ended).isNotDone();
      release.countDown();
      assertThat(ended.get(10, TimeUnit.SECONDS)).isEqualTo(new Ending.Returned(Result.OK));
    }
  }

  @Test
  void the_code_is_told_what_it_needs_to_know() throws Exception {
    var seen = new CompletableFuture<AttemptContext>();
    run(attempt -> {
      seen.complete(attempt);
      return Result.OK;
    });
    AttemptContext attempt = seen.get();
    assertThat(attempt.task()).isEqualTo(TaskId.parse("t"));
    assertThat(attempt.job()).isEmpty();
    assertThat(attempt.idempotencyKey()).isEqualTo("mine");
    assertThat(attempt.scheduled()).isEqualTo(NOW);
    assertThat(attempt.payload().text()).isEqualTo("7");
    assertThat(attempt.metadata()).containsEntry("team", "x");
    assertThat(attempt.cancelled()).isFalse();
  }

  @Test
  void the_attempt_is_known_on_its_thread_and_those_that_it_starts_and_nowhere_else()
      throws Exception {
    var seen = new CompletableFuture<Boolean>();
    var child = new CompletableFuture<Boolean>();
    run(attempt -> {
      seen.complete(AttemptScope.current().filter(attempt::equals).isPresent());
      Thread.ofVirtual()
          .start(() ->
              child.complete(AttemptScope.current().filter(attempt::equals).isPresent()))
          .join();
      return Result.OK;
    });
    assertThat(seen.get()).isTrue();
    assertThat(child.get()).isTrue();
    assertThat(AttemptScope.current()).isEmpty();
  }

  /** Whatever its thread does afterwards belongs to no attempt, and does not keep the task in memory. */
  @Test
  void the_attempt_is_forgotten_by_the_threads_that_it_left_behind() throws Exception {
    var left = new CountDownLatch(1);
    var seen = new CompletableFuture<Boolean>();
    run(attempt -> {
      Thread.ofVirtual().start(() -> {
        try {
          left.await();
          seen.complete(AttemptScope.current().isPresent());
        } catch (InterruptedException e) {
          seen.completeExceptionally(e);
        }
      });
      return Result.OK;
    });
    left.countDown();
    assertThat(seen.get(10, TimeUnit.SECONDS)).isFalse();
  }
}
