package io.belfry.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Happening;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.log.LogReader;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.LateReport;
import io.belfry.core.record.LateReport.Said;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Write;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Reports about attempts that a worker no longer holds change nothing, and are not lost. */
class LateReportsTest {
  private static final Duration A_WHILE = Duration.ofSeconds(5);

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final MemoryStore memory = new MemoryStore(time, Runnable::run);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final LogReader journal = new LogReader(memory, Runnable::run);
  private final List<Happening> heard = new ArrayList<>();
  private final List<Runnable> code = new ArrayList<>();
  private final TaskId first = TaskId.parse("first");
  private final TaskId second = TaskId.parse("second");

  private Worker begin(Store workers, Result result) {
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
    var worker = new Worker(
        loop,
        workers,
        "1",
        WorkerSettings.of("w", 5),
        (task, ended) -> {
          code.add(() -> ended.accept(new Launcher.Ending.Returned(result)));
          return () -> {};
        },
        () -> WorkerRecord.Load.NONE,
        new LeaseLosses());
    worker.start();
    loop.run(A_WHILE);
    var submitter = new Submitter(loop, memory, "node~1", Duration.ofDays(1), 10);
    for (TaskId id : List.of(first, second)) {
      Task task = Task.pending(
          id, Work.of("t", ExecutorSpec.local("noop")), Priority.NORMAL, time.wall(), time.wall());
      var unused = submitter.submit(Submission.of(task));
    }
    loop.run(A_WHILE); // their start is written
    assertThat(code).hasSize(2);
    return worker;
  }

  /** The code of both ends at the same time, when one of them is no longer the worker's. */
  private void endWithout(TaskId taken) {
    var unused = memory.commit(Commit.when().delete(Keys.task(taken)).build());
    loop.post(() -> code.forEach(Runnable::run));
  }

  private List<LateReport> late(TaskId id) {
    return journal.late(id).toCompletableFuture().join();
  }

  @Test
  void a_late_report_is_kept_with_what_it_said_and_who_said_it() {
    begin(memory, Result.of(0, "done " + "x".repeat(1000)));
    endWithout(first);
    loop.run(A_WHILE);
    assertThat(late(first)).singleElement().satisfies(report -> {
      assertThat(report.task()).isEqualTo(first);
      assertThat(report.attempt()).isEqualTo(1);
      assertThat(report.worker()).isEqualTo("w~1");
      assertThat(report.said()).isEqualTo(Said.SUCCEEDED);
      assertThat(report.message()).startsWith("done x").hasSizeLessThanOrEqualTo(500);
      assertThat(heard).contains(new Happening.ReportRejected(first, report.token()));
    });
    assertThat(late(second)).isEmpty();
    assertThat(heard)
        .anyMatch(each ->
            each instanceof Happening.TaskCompleted done && done.task().id().equals(second));
  }

  private static boolean ends(Commit commit, TaskId id) {
    return commit.writes().contains(new Write.Delete(Keys.task(id)));
  }

  @Test
  void it_does_not_wait_until_the_worker_has_nothing_else_to_report() {
    var silent = new DelegatingStore(memory) {
      @Override
      public CompletionStage<Outcome> commit(Commit commit) {
        boolean alone = ends(commit, second) && !ends(commit, first);
        return alone ? new CompletableFuture<>() : store.commit(commit);
      }
    };
    begin(silent, Result.OK);
    endWithout(first);
    loop.run(A_WHILE);
    assertThat(late(first)).hasSize(1);
  }

  @Test
  void where_there_is_no_room_for_it_nothing_waits_for_it() {
    var crowded = new DelegatingStore(memory) {
      @Override
      public CompletionStage<Outcome> commit(Commit commit) {
        return commit.writes().stream()
                .anyMatch(write -> write.key().space().equals(Keys.LATE_REPORTS))
            ? CompletableFuture.failedStage(new StoreException.Full("on purpose", null))
            : store.commit(commit);
      }
    };
    Worker worker = begin(crowded, Result.OK);
    endWithout(first);
    var left = new AtomicBoolean();
    worker.drain(A_WHILE, () -> left.set(true));
    loop.run(A_WHILE);
    assertThat(late(first)).isEmpty();
    assertThat(left).isTrue();
  }

  @Test
  void of_many_attempts_the_last_few_are_kept() {
    for (int attempt = 1; attempt <= 3 * LateReport.KEPT; attempt++) {
      var report =
          new LateReport(first, attempt, attempt, "w~1", time.wall(), Said.FAILED, "again");
      var unused = memory.commit(Commit.when()
          .put(Keys.lateReport(first, report.place()), Records.encode(report))
          .build());
    }
    assertThat(late(first)).extracting(LateReport::attempt).containsExactly(11, 12, 13, 14, 15);
  }
}
