package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Happening.ReportRejected;
import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.event.Happening.TaskRetrying;
import io.belfry.core.event.Happening.TaskStarted;
import io.belfry.core.event.Happening.WorkerJoined;
import io.belfry.core.event.Happening.WorkerLeft;
import io.belfry.core.event.Happening.WorkerOffline;
import io.belfry.core.event.Happening.WorkerOnline;
import io.belfry.core.record.LateReport;
import io.belfry.model.job.Job;
import io.belfry.model.job.Trigger;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.TaskId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every event type occurs on one embedded node, and reaches a callback for just that type. */
class EveryEventTest {
  private static final RetryPolicy SOON = RetryPolicy.DEFAULT.withDelay(Duration.ofMillis(10));

  @TempDir
  Path directory;

  private final RecordedEvents heard = new RecordedEvents();
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void nothing_stalls_any_more() {
    release.countDown();
  }

  /** A worker whose loop is blocked behaves like a frozen process. */
  private void stall(Belfry belfry) {
    belfry.parts.worker().orElseThrow().loop.post(() -> {
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  private Settings settings() {
    return Settings.defaults()
        .store("embedded:" + directory)
        .node("n")
        .retry(SOON.withMax(1))
        .workerHeartbeat(Duration.ofMillis(200))
        .unmatchedAfter(Duration.ofMillis(500))
        .stopPatience(Duration.ofMillis(100));
  }

  private static Stream<Class<? extends Happening>> types(Class<? extends Happening> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses())
            .flatMap(each -> types(each.asSubclass(Happening.class)))
        : Stream.of(type);
  }

  @Test
  void every_type_there_is_reaches_a_callback_for_it() {
    List<Class<? extends Happening>> all = types(Happening.class).toList();
    assertThat(all).hasSizeGreaterThanOrEqualTo(15);
    try (Belfry belfry =
        Belfry.open(settings(), node -> all.forEach(type -> heard.only(type, node)))) {
      belfry.handle("good", attempt -> {});
      belfry.handle("bad", attempt -> {
        throw new IllegalStateException("on purpose");
      });
      belfry.submit(Submission.local("good"));
      belfry.submit(Submission.local("bad"));
      belfry.cancel(belfry.submit(Submission.local("good").in(Duration.ofHours(1))), "not needed");
      belfry.jobs().save(Job.named("first").local("good").build());
      belfry
          .jobs()
          .save(Job.named("then")
              .local("good")
              .after("first", Trigger.After.Outcome.FINISHED)
              .enabled(false)
              .build());
      belfry.jobs().trigger("first");
      belfry.submit(Submission.local("good").queue("default").workers(Map.of("disk", "ssd")));
      loseTheLease(belfry);
      all.forEach(type -> heard.await(type, happening -> true, 1));
    }
  }

  /** Its attempt is reassigned; its own report is late and is rejected. */
  private void loseTheLease(Belfry belfry) {
    String worker = belfry.workerId().orElseThrow();
    var first = new AtomicBoolean(true);
    belfry.handle("long", attempt -> {
      if (first.getAndSet(false)) {
        new CountDownLatch(1).await();
      }
    });
    TaskId id = belfry.submit(Submission.local("long"));
    long token = heard.await(TaskStarted.class, id).task().token().value();
    stall(belfry);
    heard.await(WorkerOffline.class, offline -> offline.worker().equals(worker), 1);
    heard.await(WorkerLeft.class, left -> left.worker().equals(worker), 1);
    heard.await(TaskRetrying.class, id);
    release.countDown();
    assertThat(heard.await(ReportRejected.class, late -> late.task().equals(id), 1))
        .containsExactly(new ReportRejected(id, token));
    assertThat(belfry.lateReports(id))
        .extracting(LateReport::attempt, LateReport::token, LateReport::worker, LateReport::said)
        .containsExactly(tuple(1, token, worker, LateReport.Said.FAILED));
    heard.await(WorkerOnline.class, online -> online.worker().equals(worker), 2);
    heard.await(TaskCompleted.class, id);
    assertThat(belfry.lateReports(id)).hasSize(1);
  }

  @Test
  void a_worker_that_is_unhealthy_is_offline_without_having_left() {
    var well = new AtomicBoolean(true);
    try (Belfry belfry = Belfry.open(settings().healthCheck(well::get), heard::from)) {
      String worker = belfry.workerId().orElseThrow();
      heard.await(WorkerOnline.class, online -> online.worker().equals(worker), 1);
      well.set(false);
      heard.await(WorkerOffline.class, offline -> offline.worker().equals(worker), 1);
      assertThat(belfry.metrics().workersOnline()).isZero();
      well.set(true);
      heard.await(WorkerOnline.class, online -> online.worker().equals(worker), 2);
      assertThat(heard.find(WorkerJoined.class, joined -> true)).hasSize(1);
      assertThat(heard.find(WorkerLeft.class, left -> true)).isEmpty();
    }
  }
}
