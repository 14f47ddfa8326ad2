package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.Executor;
import io.belfry.model.task.Result;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A part that fails with an unexpected error is replaced, and the node continues. */
@Timeout(120)
class RestartedPartsTest {
  @TempDir
  Path directory;

  /** An executor whose class temporarily cannot be loaded, as after its jar was replaced. */
  private final class Flaky implements Executor {
    @Override
    public String type() {
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new NoClassDefFoundError("a class is missing, on purpose");
      }
      return "flaky";
    }

    @Override
    public Result execute(AttemptContext attempt) {
      return Result.OK;
    }
  }

  private final AtomicInteger failures = new AtomicInteger();
  private final RecordedEvents heard = new RecordedEvents();
  private Belfry belfry;

  @BeforeEach
  void open() {
    Settings settings =
        Settings.defaults().store("embedded:" + directory).node("n").executor(new Flaky());
    belfry = Belfry.open(settings, prepared -> {
      prepared.handle("noop", attempt -> {});
      var unused = heard.from(prepared);
    });
    assertThat(runs()).isNotNull();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  /** A task that has finished. */
  private TaskId runs() {
    TaskId id = belfry.submit(Submission.local("noop"));
    heard.await(TaskCompleted.class, id);
    return id;
  }

  private static void fail() {
    throw new IllegalStateException("a step throws, on purpose");
  }

  private void breakDecider() {
    SchedulerPart before = belfry.parts.scheduler();
    before.loop.post(RestartedPartsTest::fail);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !belfry.parts.scheduler().equals(before));
  }

  @Test
  void a_scheduler_that_breaks_is_replaced_by_one_of_another_incarnation_that_leads_again() {
    String before = belfry.nodeId();
    breakDecider();
    assertThat(belfry.nodeId()).startsWith("n~").isNotEqualTo(before);
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(belfry::isLeader);
    runs();
    assertThat(belfry.nodeMetrics().restarts())
        .containsEntry("decider", 1L)
        .containsEntry("worker", 0L);
    assertThat(belfry.failure()).as("one failure does not make a node unfit").isEmpty();
  }

  @Test
  void whoever_waits_when_it_breaks_is_told_and_can_ask_again() throws Exception {
    var blocked = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    belfry.parts.scheduler().loop.post(() -> {
      blocked.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      fail();
    });
    assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
    var submitted = belfry
        .parts
        .scheduler()
        .submitter
        .submit(Submission.local("noop")
            .toCore(belfry.parts.options, Time.system().wall(), belfry.parts.random))
        .toCompletableFuture();
    release.countDown();
    assertThatThrownBy(() -> submitted.get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(StoreException.class);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(StoreException.Unavailable.class)
        .until(() -> runs() != null);
  }

  @Test
  void a_worker_that_breaks_ends_its_attempts_and_another_one_takes_over() throws Exception {
    var begun = new CountDownLatch(1);
    var interrupted = new AtomicBoolean();
    var again = new CountDownLatch(1);
    var once = new AtomicBoolean();
    belfry.handle("slow", attempt -> {
      if (once.getAndSet(true)) {
        assertThat(interrupted)
            .as("the first attempt ended before the second began")
            .isTrue();
        again.countDown();
        return;
      }
      begun.countDown();
      try {
        new CountDownLatch(1).await();
      } finally {
        interrupted.set(true);
      }
    });
    TaskId slow = belfry.submit(Submission.local("slow"));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    String before = belfry.workerId().orElseThrow();
    belfry.parts.worker().orElseThrow().loop.post(RestartedPartsTest::fail);
    assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
    heard.await(TaskCompleted.class, slow);
    assertThat(belfry.workerId().orElseThrow()).isNotEqualTo(before);
    assertThat(belfry.nodeMetrics().restarts()).containsEntry("worker", 1L);
    runs();
  }

  @Test
  void a_scheduler_that_cannot_be_made_anew_at_first_is_tried_again() {
    failures.set(2);
    breakDecider();
    assertThat(failures).hasValue(0);
    runs();
  }

  @Test
  void a_worker_that_cannot_be_made_anew_at_first_is_tried_again() {
    String before = belfry.workerId().orElseThrow();
    failures.set(2);
    belfry.parts.worker().orElseThrow().loop.post(RestartedPartsTest::fail);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !belfry.workerId().orElseThrow().equals(before));
    assertThat(failures).hasValue(0);
    runs();
  }

  @Test
  void a_node_whose_part_breaks_again_and_again_says_that_it_failed_and_goes_on_trying() {
    for (int i = 0; i < 6; i++) {
      breakDecider();
    }
    assertThat(belfry.failure()).get().isInstanceOf(IllegalStateException.class);
    runs();
  }

  @Test
  void restarts_wait_longer_and_longer_and_are_forgotten_after_a_minute() {
    var time = new ManualTime(Instant.EPOCH);
    var restarts = new Restarts(time);
    var cause = new IllegalStateException("on purpose");
    assertThat(restarts.failed(cause)).isEqualTo(Duration.ofMillis(100));
    for (int i = 0; i < 4; i++) {
      restarts.failed(cause);
    }
    assertThat(restarts.tooMany()).isEmpty();
    assertThat(restarts.failed(cause)).isEqualTo(Duration.ofMillis(3200));
    assertThat(restarts.tooMany()).contains(cause);
    for (int i = 0; i < 10; i++) {
      assertThat(restarts.failed(cause)).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }
    time.advance(Duration.ofSeconds(61));
    assertThat(restarts.tooMany()).isEmpty();
    assertThat(restarts.failed(cause)).isEqualTo(Duration.ofMillis(100));
  }
}
