package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.belfry.core.event.Happening.FiresSkipped;
import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.history.Query;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/jobs.md, as user code. */
class JobsTest {
  @TempDir
  Path dir;

  private Settings settings() {
    return Settings.defaults()
        .store("embedded:" + dir)
        .node("n1")
        .stopPatience(Duration.ofSeconds(5));
  }

  @Test
  void a_job_that_does_not_say_has_the_timeout_and_retry_of_the_settings() {
    RetryPolicy twice = RetryPolicy.DEFAULT.withMax(2);
    Settings own = settings().taskTimeout(Duration.ofMinutes(1)).retry(twice);
    try (Belfry belfry = Belfry.open(own)) {
      JobOperations jobs = belfry.jobs();
      jobs.save(jobs.named("silent").local("load").build());
      jobs.save(jobs.named("says").local("load").timeout(Duration.ofMinutes(2)).build());
      jobs.save(jobs.named("once").local("load").atMostOnce(true).build());
      jobs.save(Job.named("apart").local("load").build());
      assertThat(jobs.list("", 10))
          .extracting(
              job -> job.id().value(),
              job -> job.work().timeout(),
              job -> job.work().retry().max())
          .containsExactly(
              tuple("apart", Duration.ofMinutes(5), 3),
              tuple("once", Duration.ofMinutes(1), 0),
              tuple("says", Duration.ofMinutes(2), 2),
              tuple("silent", Duration.ofMinutes(1), 2));
    }
  }

  /** Records which task each load task follows. */
  private static void handleLoad(Belfry belfry, Queue<String> followed) {
    belfry.handle(
        "load",
        attempt -> followed.add(attempt.metadata().getOrDefault(Trigger.After.PREDECESSOR, "")));
  }

  private static JobBuilder loadAfter(String first, Trigger.After.Outcome on) {
    return Job.named("load").local("load").after(first, on);
  }

  private static void runs(BlockingQueue<String> followed, TaskId after)
      throws InterruptedException {
    assertThat(followed.poll(60, TimeUnit.SECONDS)).isEqualTo(after.toString());
  }

  @Test
  void a_job_runs_once_after_each_end_of_another_and_is_told_which() throws Exception {
    var followed = new LinkedBlockingQueue<String>();
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.handle("extract", attempt -> {});
      handleLoad(belfry, followed);
      belfry.jobs().save(Job.named("extract").local("extract").build());
      belfry.jobs().save(loadAfter("extract", Trigger.After.Outcome.SUCCEEDED).build());
      TaskId first = belfry.jobs().trigger("extract");
      runs(followed, first);
      TaskId second = belfry.jobs().trigger("extract");
      runs(followed, second);
      assertThat(followed).isEmpty();
      assertThatThrownBy(() -> belfry.jobs().delete("extract"))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("load");
    }
  }

  @Test
  void a_disabled_follower_leaves_a_record_that_it_was_skipped() throws Exception {
    var skipped = new CompletableFuture<FiresSkipped>();
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.on(FiresSkipped.class, skipped::complete);
      belfry.handle("noop", attempt -> {});
      belfry.jobs().save(Job.named("extract").local("noop").build());
      belfry
          .jobs()
          .save(loadAfter("extract", Trigger.After.Outcome.FINISHED)
              .enabled(false)
              .build());
      TaskId extract = belfry.jobs().trigger("extract");
      assertThat(skipped.get(60, TimeUnit.SECONDS).range().reason()).isEqualTo(SkipReason.DISABLED);
      List<Task> kept = belfry
          .tasks(Query.ALL.withJob(new JobId("load")), Optional.empty(), 10)
          .tasks();
      assertThat(kept).hasSize(1);
      assertThat(kept.getFirst().stateName()).isEqualTo(StateName.SKIPPED);
      assertThat(kept.getFirst().work().metadata())
          .containsEntry(Trigger.After.PREDECESSOR, extract.toString());
    }
  }

  @Test
  void each_outcome_leads_to_those_who_wait_for_it() throws Exception {
    var ran = new LinkedBlockingQueue<String>();
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.handle("good", attempt -> {});
      belfry.handle("bad", attempt -> {
        throw new IllegalStateException("on purpose");
      });
      for (String first : List.of("good", "bad")) {
        belfry.jobs().save(Job.named(first).local(first).retry(RetryPolicy.NONE).build());
        for (Trigger.After.Outcome on : Trigger.After.Outcome.values()) {
          String then = first + "-" + on.name().toLowerCase(Locale.ROOT);
          belfry.handle(then, attempt -> ran.add(then));
          belfry.jobs().save(Job.named(then).local(then).after(first, on).build());
        }
        belfry.jobs().trigger(first);
      }
      var started = new ArrayList<String>();
      for (int i = 0; i < 4; i++) {
        started.add(Objects.requireNonNull(ran.poll(60, TimeUnit.SECONDS), "another one"));
      }
      assertThat(started)
          .containsExactlyInAnyOrder(
              "good-succeeded", "good-finished", "bad-failed", "bad-finished");
      for (String none : List.of("good-failed", "bad-succeeded")) {
        assertThat(belfry
                .tasks(Query.ALL.withJob(new JobId(none)), Optional.empty(), 10)
                .tasks())
            .isEmpty();
      }
    }
  }

  @Test
  void a_trigger_that_was_changed_follows_the_new_job_only() throws Exception {
    var followed = new LinkedBlockingQueue<String>();
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.handle("noop", attempt -> {});
      handleLoad(belfry, followed);
      for (String first : List.of("extract", "import")) {
        belfry.jobs().save(Job.named(first).local("noop").build());
        belfry.jobs().save(loadAfter(first, Trigger.After.Outcome.FINISHED).build());
      }
      belfry.jobs().trigger("extract");
      TaskId imported = belfry.jobs().trigger("import");
      runs(followed, imported);
      TaskId again = belfry.jobs().trigger("import");
      runs(followed, again);
      assertThat(followed).isEmpty();
      belfry.jobs().delete("extract"); // nobody runs after it any more
    }
  }

  @Test
  void an_end_while_the_namespace_is_paused_is_made_up_for_afterwards() throws Exception {
    var begun = new CountDownLatch(1);
    var mayEnd = new CountDownLatch(1);
    var completed = new CompletableFuture<TaskCompleted>();
    var followed = new LinkedBlockingQueue<String>();
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.on(TaskCompleted.class, completed::complete);
      belfry.handle("extract", attempt -> {
        begun.countDown();
        mayEnd.await();
      });
      handleLoad(belfry, followed);
      belfry.jobs().save(Job.named("extract").local("extract").build());
      belfry.jobs().save(loadAfter("extract", Trigger.After.Outcome.SUCCEEDED).build());
      TaskId extract = belfry.jobs().trigger("extract");
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      belfry.pause("so that its end is late");
      mayEnd.countDown();
      assertThat(completed.get(60, TimeUnit.SECONDS).task().id()).isEqualTo(extract);
      belfry.resume();
      runs(followed, extract);
      assertThat(followed).isEmpty();
    }
  }

  @Test
  void a_paused_namespace_begins_nothing_whoever_leads_and_goes_on_afterwards() throws Exception {
    TaskId waiting;
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.handle("noop", attempt -> {});
      belfry.pause("the target is being moved");
      assertThat(belfry.isPaused()).isTrue();
      assertThat(belfry.pauseReason()).contains("the target is being moved");
      belfry
          .jobs()
          .save(Job.named("tick").local("noop").every(Duration.ofMillis(200)).build());
      waiting = belfry.submit(Submission.local("noop"));
    }
    var done = new LinkedBlockingQueue<TaskId>();
    try (Belfry belfry = Belfry.open(settings(), next -> {
      next.on(TaskCompleted.class, event -> done.add(event.task().id()));
      next.handle("noop", attempt -> {});
    })) {
      assertThat(done.poll(1500, TimeUnit.MILLISECONDS)).isNull();
      assertThat(belfry.isPaused()).isTrue();
      assertThat(belfry.task(waiting).orElseThrow().state()).isInstanceOf(TaskState.Pending.class);
      belfry.resume();
      assertThat(belfry.pauseReason()).isEmpty();
      var seen = new ArrayList<TaskId>();
      while (!seen.contains(waiting) || seen.stream().noneMatch(TaskId::isFire)) {
        seen.add(Objects.requireNonNull(done.poll(60, TimeUnit.SECONDS)));
      }
    }
  }
}
