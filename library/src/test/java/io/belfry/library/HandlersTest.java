package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.event.Happening.TaskFailed;
import io.belfry.core.record.Progress;
import io.belfry.library.logback.AttemptAppender;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Failure;
import io.belfry.model.task.StateName;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handlers that misbehave do not affect others; results and logs of handlers are stored. */
class HandlersTest {
  @TempDir
  Path directory;

  private final RecordedEvents heard = new RecordedEvents();
  private Belfry belfry;

  @BeforeEach
  void open() {
    belfry = Belfry.open(
        Settings.defaults()
            .store("embedded:" + directory)
            .node("n")
            .retry(RetryPolicy.NONE)
            .workerCapacity(3)
            .stopPatience(Duration.ofMillis(100)),
        heard::from);
    belfry.handle("neighbour", attempt -> {});
  }

  @AfterEach
  void nobody_has_noticed_anything() {
    TaskId after = belfry.submit(Submission.local("neighbour"));
    heard.await(TaskCompleted.class, after);
    assertThat(belfry.failure()).isEmpty();
    belfry.close();
  }

  private Failure fails(Handler.Plain handler) {
    belfry.handle("bad", handler);
    TaskId id = belfry.submit(Submission.local("bad"));
    heard.await(TaskCompleted.class, belfry.submit(Submission.local("neighbour")));
    return ((TaskState.Failed) heard.await(TaskFailed.class, id).task().state()).failure();
  }

  /** An executor whose methods all throw, like a class that was loaded only in part. */
  private static final class Indescribable extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new StackOverflowError("no message");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause");
    }

    @Override
    public String toString() {
      throw new IllegalStateException("no text");
    }
  }

  private void awaitLog(TaskId id, String text) {
    Awaitility.await()
        .atMost(RecordedEvents.LONG)
        .until(() -> belfry.log(id).filter(log -> log.contains(text)).isPresent());
  }

  @Nested
  class Throwing {
    @Test
    void exceptions_of_every_kind_fail_the_attempt_with_their_name() {
      assertThat(fails(attempt -> {
                throw new IOException("disk gone");
              })
              .result()
              .message())
          .isEqualTo("java.io.IOException: disk gone");
      assertThat(fails(attempt -> {
                throw new IllegalStateException((String) null);
              })
              .result()
              .message())
          .startsWith("java.lang.IllegalStateException at ");
    }

    @Test
    void errors_of_the_machine_thrown_by_a_handler_fail_the_attempt_only() {
      assertThat(fails(attempt -> overflow(1)).result().message()).contains("StackOverflowError");
      assertThat(fails(attempt -> {
                throw new OutOfMemoryError("as it says");
              })
              .result()
              .message())
          .contains("OutOfMemoryError: as it says");
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int overflow(int depth) {
      return overflow(depth + 1) + 1;
    }

    @Test
    void what_cannot_even_be_described_fails_the_attempt_only() {
      assertThat(fails(attempt -> {
                throw new Indescribable();
              })
              .result()
              .message())
          .contains("Indescribable");
      Awaitility.await("the places of both are free again")
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.workers().getFirst().held().isEmpty());
    }

    @Test
    void a_handler_that_interrupts_itself_is_judged_by_what_it_does() {
      belfry.handle("self", attempt -> Thread.currentThread().interrupt());
      heard.await(TaskCompleted.class, belfry.submit(Submission.local("self")));
    }
  }

  @Nested
  class Lasting {
    @Test
    void code_that_ignores_its_interruption_is_given_up_and_keeps_its_place_until_it_ends() {
      var release = new CountDownLatch(1);
      var ended = new CountDownLatch(1);
      belfry.handle("deaf", attempt -> {
        boolean released = false;
        while (!released) {
          try {
            release.await();
            released = true;
          } catch (InterruptedException e) {
            attempt.log("ignored");
          }
        }
        ended.countDown();
      });
      TaskId id = belfry.submit(Submission.local("deaf").timeout(Duration.ofMillis(100)));
      var failed = (TaskState.Failed) heard.await(TaskFailed.class, id).task().state();
      assertThat(failed.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.workers().getFirst().capacity() == 2);
      heard.await(TaskCompleted.class, belfry.submit(Submission.local("neighbour")));
      release.countDown();
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.workers().getFirst().capacity() == 3);
      assertThat(belfry.task(id).orElseThrow().stateName()).isEqualTo(StateName.FAILED);
    }

    @Test
    void threads_that_a_handler_leaves_behind_harm_nobody_and_log_nothing_after_its_end() {
      var release = new CountDownLatch(1);
      var late = new CountDownLatch(1);
      belfry.handle("spawns", attempt -> {
        for (int i = 0; i < 50; i++) {
          Thread.startVirtualThread(() -> {
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            attempt.log("from behind");
            late.countDown();
          });
        }
        attempt.log("spawned");
      });
      TaskId id = belfry.submit(Submission.local("spawns"));
      heard.await(TaskCompleted.class, id);
      awaitLog(id, "spawned");
      release.countDown();
      Awaitility.await().atMost(RecordedEvents.LONG).until(() -> late.getCount() == 0);
      assertThat(belfry.log(id)).hasValue("spawned\n");
    }
  }

  @Nested
  class Saying {
    @Test
    void a_flood_is_cut_and_its_neighbours_run_on() {
      belfry.handle("flood", attempt -> {
        String line = "x".repeat(1000);
        for (int i = 0; i < 100_000; i++) {
          attempt.log(line);
        }
        attempt.log("the end");
      });
      TaskId id = belfry.submit(Submission.local("flood"));
      heard.await(TaskCompleted.class, belfry.submit(Submission.local("neighbour")));
      heard.await(TaskCompleted.class, id);
      awaitLog(id, "the end");
      assertThat(belfry.log(id).orElseThrow())
          .hasSizeLessThan(600_000)
          .contains("lines were cut here");
    }

    @Test
    void progress_and_log_are_seen_while_it_runs_and_each_attempt_keeps_its_log() {
      var release = new CountDownLatch(1);
      var tries = new AtomicInteger();
      belfry.handle("tells", attempt -> {
        attempt.log("try " + attempt.number());
        if (tries.incrementAndGet() == 1) {
          throw new IllegalStateException("not yet");
        }
        attempt.progress(0.5, "half way");
        release.await();
      });
      TaskId id = belfry.submit(Submission.local("tells")
          .retry(RetryPolicy.DEFAULT.withDelay(Duration.ofMillis(10)).withMax(1)));
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.progress(id).map(Progress::message).equals(Optional.of("half way")));
      awaitLog(id, "try 2");
      release.countDown();
      heard.await(TaskCompleted.class, id);
      assertThat(belfry.progress(id)).isEmpty();
      assertThat(belfry.logs(id))
          .extracting(log -> log.text())
          .containsExactly("try 1\n", "try 2\n");
      assertThat(belfry.log(id).orElseThrow()).contains("── attempt 2 on ");
    }

    @Test
    void ordinary_log_lines_are_kept_with_the_task_that_wrote_them() {
      var context = new LoggerContext();
      var appender = new AttemptAppender();
      appender.setContext(context);
      appender.setPattern("%level %msg%n");
      appender.start();
      var logger = context.getLogger("app");
      logger.addAppender(appender);
      logger.info("belongs to nobody");
      belfry.handle("logs", attempt -> logger.warn("careful", new IOException("why")));
      TaskId id = belfry.submit(Submission.local("logs"));
      awaitLog(id, "IOException: why");
      assertThat(belfry.log(id).orElseThrow())
          .startsWith("WARN careful\n")
          .doesNotContain("nobody");
      context.stop();
    }
  }

  @Nested
  class A_submitter {
    @Test
    void is_kept_with_what_was_submitted_triggered_and_retried() {
      belfry.handle("fails", attempt -> {
        throw new IllegalStateException("as always");
      });
      TaskId plain = belfry.submit(Submission.local("neighbour"));
      assertThat(heard.await(TaskCompleted.class, plain).task().submittedBy()).isEmpty();
      TaskId signed = belfry.submit(Submission.local("fails").by("ci (4f2a91)"));
      assertThat(heard.await(TaskFailed.class, signed).task().submittedBy())
          .contains("ci (4f2a91)");
      assertThat(belfry.task(signed).orElseThrow().submittedBy()).contains("ci (4f2a91)");
      TaskId again = belfry.retry(signed, "ops (77)");
      assertThat(heard.await(TaskFailed.class, again).task().submittedBy()).contains("ops (77)");
      belfry.jobs().save(belfry.jobs().named("manual").local("neighbour").build());
      TaskId triggered =
          belfry.jobs().trigger("manual", TriggerRequest.now().by("ops (77)")).task();
      assertThat(heard.await(TaskCompleted.class, triggered).task().submittedBy())
          .contains("ops (77)");
      assertThat(heard
              .await(TaskCompleted.class, belfry.jobs().trigger("manual"))
              .task()
              .submittedBy())
          .isEmpty();
      assertThatThrownBy(() -> Submission.local("x").by("y".repeat(161)))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("160");
    }

    @Test
    void of_a_job_gets_what_the_job_says_once_for_a_key() {
      var serial = Job.named("serial")
          .local("neighbour")
          .overlap(OverlapPolicy.QUEUE)
          .priority(Priority.HIGH)
          .build();
      Job saved = belfry.jobs().save(serial);
      TaskId id = belfry.submit(Submission.of(saved).payload(7).key("once").by("ops (77)"));
      assertThat(id.jobId()).contains(saved.id());
      heard.await(TaskCompleted.class, id);
      var done = belfry.task(id).orElseThrow();
      assertThat(done.priority()).isEqualTo(Priority.HIGH);
      assertThat(done.work().limit().concurrency()).contains(1);
      assertThat(done.work().payload().text()).isEqualTo("7");
      Job changed =
          belfry.jobs().save(saved.edit().timeout(Duration.ofSeconds(9)).build());
      assertThat(belfry.submit(Submission.of(changed).payload(7).key("once"))).isEqualTo(id);
      assertThatThrownBy(() -> belfry.submit(Submission.of(changed).payload(8).key("once")))
          .isInstanceOf(ConflictException.class);
      assertThatThrownBy(() -> Submission.of(changed).id("own"))
          .isInstanceOf(InvalidException.class);
    }
  }

  @Nested
  class Again {
    @Test
    void what_failed_is_done_again_as_one_new_task_that_names_it() {
      var works = new AtomicBoolean();
      belfry.handle("later", attempt -> {
        if (!works.get()) {
          throw new IllegalStateException("not yet");
        }
      });
      TaskId id = belfry.submit(Submission.local("later"));
      heard.await(TaskFailed.class, id);
      works.set(true);
      TaskId again = belfry.retry(id);
      assertThat(again).isNotEqualTo(id);
      assertThat(belfry.retry(id)).isEqualTo(again);
      var done = heard.await(TaskCompleted.class, again).task();
      assertThat(done.work().metadata()).containsEntry("belfry.retry-of", id.toString());
      assertThat(belfry.task(id).orElseThrow().stateName()).isEqualTo(StateName.FAILED);
      assertThatThrownBy(() -> belfry.retry(again))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("must be a failed or cancelled task");
      assertThatThrownBy(() -> belfry.retry(TaskId.parse("never-was")))
          .isInstanceOf(InvalidException.class);
    }
  }
}
