package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.event.Happening.TaskCancelled;
import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.event.Happening.TaskFailed;
import io.belfry.core.event.Happening.TaskRetrying;
import io.belfry.core.event.Happening.TaskScheduled;
import io.belfry.core.event.Happening.TaskStarted;
import io.belfry.core.event.Happening.TaskSubmitted;
import io.belfry.core.history.Query;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The behavior that users of the library see, the same on every engine. */
abstract class Scenario {
  record Invoice(String customer, int cents) {}

  private static final RetryPolicy SOON = RetryPolicy.DEFAULT
      .withDelay(Duration.ofMillis(10))
      .withCap(Duration.ofMillis(50))
      .withMax(3);

  protected Belfry belfry;
  private Metrics before;
  private final RecordedEvents heard = new RecordedEvents();

  /** On an empty engine. */
  protected abstract Settings settings();

  /** A leader publishes events only after it has loaded its state. */
  @BeforeEach
  void open() {
    belfry = Belfry.open(
        settings()
            .node("n1")
            .handlerGrace(Duration.ofMillis(1))
            .stopPatience(Duration.ofSeconds(5)),
        heard::from);
    belfry.handle("warm-up", attempt -> {});
    heard.await(TaskCompleted.class, belfry.submit(Submission.local("warm-up")));
    before = belfry.metrics();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  @Nested
  class Submitting {
    @Test
    void a_typed_payload_reaches_its_handler_and_the_answer_is_kept() throws Exception {
      var seen = new CompletableFuture<Invoice>();
      belfry.handleWithResult("send", Invoice.class, (invoice, attempt) -> {
        seen.complete(invoice);
        attempt.log("sent to " + invoice.customer());
        return Map.of("sent", true);
      });
      TaskId id = belfry.submit(Submission.local("send", new Invoice("ada", 1200))
          .priority(Priority.HIGH)
          .metadata(Map.of("team", "billing")));
      assertThat(RecordedEvents.get(seen)).isEqualTo(new Invoice("ada", 1200));
      TaskCompleted done = heard.await(TaskCompleted.class, id);
      assertThat(done.took()).isGreaterThanOrEqualTo(Duration.ZERO);
      assertThat(done.task().worker()).isEqualTo(belfry.workerId());
      assertThat(done.task().priority()).isEqualTo(Priority.HIGH);
      assertThat(heard.find(TaskSubmitted.class, e -> e.task().id().equals(id))).hasSize(1);
      assertThat(heard.find(TaskScheduled.class, e -> e.task().id().equals(id))).hasSize(1);
      assertThat(heard.find(TaskStarted.class, e -> e.task().id().equals(id))).hasSize(1);
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.log(id).equals(Optional.of("sent to ada\n")));
      assertThat(belfry.task(id).orElseThrow().stateName()).isEqualTo(StateName.SUCCEEDED);
      assertThat(belfry
              .tasks(Query.ALL.withState(StateName.SUCCEEDED), Optional.empty(), 100)
              .tasks())
          .extracting(Task::id)
          .containsOnlyOnce(id);
      assertThat(belfry.cancel(id, "too late")).isFalse();
    }

    @Test
    void a_delayed_task_waits_for_its_time() {
      belfry.handle("later", attempt -> {});
      TaskId id = belfry.submit(Submission.local("later").in(Duration.ofMillis(700)));
      assertThat(belfry.task(id))
          .hasValueSatisfying(
              task -> assertThat(task.state()).isInstanceOf(TaskState.Pending.class));
      var done = heard.await(TaskCompleted.class, id).task();
      assertThat(done.started().orElseThrow()).isAfterOrEqualTo(done.scheduled());
      assertThat(Duration.between(done.created(), done.scheduled()))
          .isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void the_same_submission_is_one_task_and_another_of_its_id_is_refused() {
      var ran = new AtomicInteger();
      belfry.handle("once", Invoice.class, (invoice, attempt) -> ran.incrementAndGet());
      Submission mine = Submission.local("once", new Invoice("bob", 1)).id("invoice-7");
      TaskId id = belfry.submit(mine);
      heard.await(TaskCompleted.class, id);
      assertThat(belfry.submit(mine)).isEqualTo(id);
      assertThatThrownBy(() -> belfry.submit(mine.payload(new Invoice("bob", 2))))
          .isInstanceOf(ConflictException.class)
          .hasMessageContaining("invoice-7");
      TaskId last =
          belfry.submit(Submission.local("once", new Invoice("eve", 3)).key("k"));
      assertThat(belfry.submit(Submission.local("once", new Invoice("eve", 3)).key("k")))
          .isEqualTo(last);
      heard.await(TaskCompleted.class, last);
      assertThat(ran).hasValue(2);
    }

    @Test
    void of_many_each_has_its_own_outcome() {
      belfry.handle("many", Integer.class, (number, attempt) -> {});
      Submission taken = Submission.local("many", 1).id("taken");
      belfry.submit(taken);
      List<Submitted> all = belfry.submitAll(List.of(
          Submission.local("many", 2), taken, taken.payload(5), Submission.local("many", 3)));
      assertThat(all)
          .satisfiesExactly(
              first -> assertThat(first).isInstanceOf(Submitted.Accepted.class),
              second -> assertThat(second).isEqualTo(new Submitted.Repeated(TaskId.parse("taken"))),
              third -> assertThat(((Submitted.Refused) third).cause())
                  .isInstanceOf(ConflictException.class),
              fourth -> assertThat(fourth).isInstanceOf(Submitted.Accepted.class));
      heard.await(TaskCompleted.class, done -> done.task().work().name().equals("many"), 3);
    }

    @Test
    void hundreds_with_ids_of_their_own_are_taken_in_at_once() {
      belfry.handle("herd", Integer.class, (number, attempt) -> {});
      List<Submission> herd = IntStream.range(0, 300)
          .mapToObj(i -> Submission.local("herd", i).id("herd-" + i))
          .toList();
      assertThat(belfry.submitAll(herd)).hasOnlyElementsOfType(Submitted.Accepted.class);
      assertThat(belfry.submitAll(herd)).hasOnlyElementsOfType(Submitted.Repeated.class);
      assertThat(belfry.failure()).isEmpty();
    }

    @Test
    void a_payload_that_is_too_heavy_is_refused_with_the_limit() {
      assertThatThrownBy(() -> Submission.local("any", "x".repeat(300_000)))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("262144");
    }
  }

  @Nested
  class Previewing {
    @Test
    void a_job_says_when_it_would_fire_and_nothing_is_saved() {
      Job daily = Job.named("looked-at")
          .cron("0 30 2 * * *", ZoneOffset.UTC)
          .local("any")
          .build();
      assertThat(belfry.jobs().preview(daily, 3))
          .hasSize(3)
          .isSorted()
          .allSatisfy(
              at -> assertThat(at.atOffset(ZoneOffset.UTC).toLocalTime()).hasToString("02:30"));
      Job off = daily.edit().enabled(false).build();
      assertThat(belfry.jobs().preview(off, 3)).hasSize(3);
      assertThat(belfry.jobs().get("looked-at")).isEmpty();
    }

    @Test
    void what_could_not_be_saved_cannot_be_previewed_either() {
      Job lost = Job.named("lost")
          .after("nobody", Trigger.After.Outcome.FINISHED)
          .local("any")
          .build();
      assertThatThrownBy(() -> belfry.jobs().preview(lost, 1)).isInstanceOf(InvalidException.class);
      assertThatThrownBy(() -> belfry.jobs().preview(lost, 101))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("count");
    }
  }

  @Nested
  class Failing {
    @Test
    void a_task_that_fails_is_tried_again_until_it_succeeds() {
      var tries = new AtomicInteger();
      belfry.handle("flaky", attempt -> {
        if (tries.incrementAndGet() < 3) {
          throw new IllegalStateException("not yet");
        }
      });
      TaskId id = belfry.submit(Submission.local("flaky").retry(SOON));
      var done = heard.await(TaskCompleted.class, id).task();
      assertThat(done.attempts()).isEqualTo(3);
      assertThat(heard.find(TaskRetrying.class, e -> e.task().id().equals(id))).hasSize(2);
      assertThat(belfry.metrics().tasksRetried()).isEqualTo(2);
    }

    @Test
    void an_unknown_handler_fails_the_task_at_once_with_a_sentence() {
      TaskId id = belfry.submit(Submission.local("nobody"));
      var failed = (TaskState.Failed) heard.await(TaskFailed.class, id).task().state();
      assertThat(failed.failure().kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failed.failure().result().message()).contains("\"nobody\"");
    }

    @Test
    void a_payload_of_another_shape_is_rejected_without_quoting_it() {
      belfry.handle("typed", Invoice.class, (invoice, attempt) -> {});
      TaskId id = belfry.submit(Submission.local("typed", List.of("secret")));
      var failed = (TaskState.Failed) heard.await(TaskFailed.class, id).task().state();
      assertThat(failed.failure().kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failed.failure().result().message())
          .contains(Invoice.class.getName())
          .doesNotContain("secret");
    }

    @Test
    void a_handler_that_never_returns_is_timed_out() {
      belfry.handle("endless", attempt -> new CountDownLatch(1).await());
      TaskId id = belfry.submit(
          Submission.local("endless").timeout(Duration.ofMillis(300)).retry(RetryPolicy.NONE));
      var failed = (TaskState.Failed) heard.await(TaskFailed.class, id).task().state();
      assertThat(failed.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
    }

    @Test
    void an_answer_that_is_too_heavy_fails_the_task_and_nothing_else() {
      belfry.handleWithResult("wordy", Integer.class, (size, attempt) -> "x".repeat(size));
      TaskId heavy = belfry.submit(Submission.local("wordy", 300_000));
      var failed =
          (TaskState.Failed) heard.await(TaskFailed.class, heavy).task().state();
      assertThat(failed.failure().result().message()).contains("262144");
      heard.await(TaskCompleted.class, belfry.submit(Submission.local("wordy", 3)));
    }
  }

  @Nested
  class Cancelling {
    @Test
    void cancelling_a_running_task_interrupts_its_code() throws Exception {
      var begun = new CountDownLatch(1);
      var interrupted = new CompletableFuture<Boolean>();
      belfry.handle("long", attempt -> {
        begun.countDown();
        try {
          new CountDownLatch(1).await();
        } finally {
          interrupted.complete(attempt.cancelled());
        }
      });
      TaskId id = belfry.submit(Submission.local("long"));
      assertThat(begun.await(30, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
      assertThat(belfry.cancel(id, "no longer needed")).isTrue();
      assertThat(RecordedEvents.get(interrupted)).isTrue();
      var state =
          (TaskState.Cancelled) heard.await(TaskCancelled.class, id).task().state();
      assertThat(state.request().reason()).isEqualTo("no longer needed");
    }

    @Test
    void cancelling_a_waiting_task_ends_it() {
      belfry.handle("later", attempt -> {});
      TaskId id = belfry.submit(Submission.local("later").in(Duration.ofHours(1)));
      assertThat(belfry.cancel(id, "never mind")).isTrue();
      heard.await(TaskCancelled.class, id);
      assertThat(belfry.cancel(id, "again")).isFalse();
    }
  }

  @Nested
  class Jobs {
    @Test
    void a_job_fires_every_second_until_it_is_disabled() {
      belfry.handle("tick", String.class, (text, attempt) -> attempt.log(text));
      Job job = Job.named("ticker")
          .cron("* * * * * *", ZoneOffset.UTC)
          .local("tick", Payloads.of("tock"))
          .build();
      assertThat(belfry.jobs().save(job).generation()).isEqualTo(1);
      var fires = heard.await(TaskCompleted.class, e -> e.task().id().isFire(), 3);
      assertThat(fires.stream().map(e -> e.task().id()).distinct()).hasSameSizeAs(fires);
      assertThat(belfry.jobs().disable("ticker"))
          .hasValueSatisfying(saved -> assertThat(saved.enabled()).isFalse());
      assertThat(belfry.jobs().list("", 10)).extracting(Job::id).containsExactly(job.id());
      assertThat(belfry.jobs().delete("ticker")).isTrue();
      assertThat(belfry.jobs().get("ticker")).isEmpty();
    }

    @Test
    void a_job_is_triggered_by_hand_with_another_payload() throws Exception {
      var seen = new CompletableFuture<String>();
      belfry.handle("say", String.class, (text, attempt) -> seen.complete(text));
      belfry.jobs().save(Job.named("manual").local("say", Payloads.of("usual")).build());
      TaskId id = belfry.jobs().trigger("manual", "special");
      heard.await(TaskCompleted.class, id);
      assertThat(RecordedEvents.get(seen)).isEqualTo("special");
      assertThatThrownBy(() -> belfry.jobs().trigger("nothing"))
          .isInstanceOf(InvalidException.class);
    }
  }

  @Nested
  class Looking {
    @Test
    void metrics_workers_leader_and_strategy_can_be_asked_for() {
      belfry.handle("noop", attempt -> {});
      heard.await(TaskCompleted.class, belfry.submit(Submission.local("noop")));
      TaskId later = belfry.submit(Submission.local("noop").in(Duration.ofHours(1)));
      heard.await(TaskSubmitted.class, later);
      Metrics metrics = belfry.metrics();
      assertThat(metrics.tasksTotal() - before.tasksTotal()).isEqualTo(2);
      assertThat(metrics.tasksCompleted() - before.tasksCompleted()).isEqualTo(1);
      assertThat(metrics.tasksPending()).isEqualTo(1);
      assertThat(metrics.tasksRunning()).isZero();
      assertThat(metrics.workersOnline()).isEqualTo(1);
      assertThat(metrics.workersOffline()).isZero();
      assertThat(metrics.elections()).isEqualTo(1);
      assertThat(metrics.taskThroughput()).isPositive();
      assertThat(metrics.schedulerUptime()).isPositive();
      assertThat(belfry.isLeader()).isTrue();
      assertThat(belfry.leader()).hasValue(belfry.nodeId());
      assertThat(belfry.workers()).hasSize(1);
      assertThat(belfry.strategy().get()).isEqualTo("least-tasks");
      belfry.strategy().set("round-robin");
      belfry.strategy().reset();
      assertThat(belfry.strategy().get()).isEqualTo("round-robin");
      assertThatThrownBy(() -> belfry.strategy().set("best"))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("round-robin");
      assertThat(belfry.failure()).isEmpty();
    }
  }
}
