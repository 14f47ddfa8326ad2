package io.belfry.core.record;

import io.belfry.core.record.Inbox.Order;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Notifications;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Rate;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.job.Work;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.EndedAttempt.Ending;
import io.belfry.model.task.Failure;
import io.belfry.model.task.History;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.task.Token;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One fixed value of each record, which uses every part of the format. */
final class Samples {
  static final Instant DUE = Instant.parse("2027-01-01T00:00:00Z");
  static final Instant LATER = Instant.parse("2027-01-01T00:00:01.250Z");
  static final Work PLAIN = Work.of("nightly-invoices", ExecutorSpec.local("send-invoice"));
  static final TaskId FIRE = TaskId.fire(new JobId("nightly-invoices"), DUE);

  /** A task that a leader creates for a job with default settings. */
  static final Task FRESH = Task.pending(FIRE, PLAIN, Priority.NORMAL, DUE, DUE.plusMillis(3));

  static final Attempt ATTEMPT = new Attempt(1, new Token((1L << 47) + 4711), "w1~7f3a", LATER);

  static final Task ASSIGNED = in(FRESH, new TaskState.Assigned(ATTEMPT), History.NONE);

  static final Task SUCCEEDED = in(
      FRESH,
      new TaskState.Succeeded(Result.OK, LATER.plusMillis(20)),
      new History(
          List.of(new EndedAttempt(
              ATTEMPT,
              Optional.of(LATER.plusMillis(2)),
              LATER.plusMillis(20),
              new Ending.Succeeded())),
          List.of(),
          1,
          0,
          0,
          ATTEMPT.token()));

  static final CancelRequest CANCEL = new CancelRequest("ops", "no longer needed ü", LATER);

  private Samples() {}

  static Task in(Task task, TaskState state, History history) {
    return task.with(state, task.cancel(), history);
  }

  static Task rich() {
    Failure failure = new Failure(
        FailureKind.REJECTED,
        new Result(-7, "half \ud83d", Payload.of("text/plain", new byte[] {1, 2})));
    EndedAttempt lost = new EndedAttempt(
        ATTEMPT, Optional.empty(), LATER.plusNanos(1001), new Ending.Failed(failure));
    EndedAttempt back =
        new EndedAttempt(ATTEMPT, Optional.of(DUE), LATER, new Ending.HandedBack("stopping"));
    return new Task(
        TaskId.parse("nightly!01h455vb4pex5vsknk084sn02q"),
        richWork(),
        Instant.MAX,
        LATER,
        Priority.URGENT,
        Optional.of("order-17"),
        new TaskState.Failed(failure, LATER),
        Optional.of(CANCEL),
        new History(List.of(lost), List.of(back), 9, 2, 1, new Token(Long.MAX_VALUE)));
  }

  private static Work richWork() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("url", "https://example.org/鐘");
    settings.put("n", -5);
    settings.put("x", 0.5);
    settings.put("list", List.of(true, false));
    settings.put("map", Map.of("big", BigInteger.TWO.pow(70)));
    return new Work(
        "rich",
        new ExecutorSpec("http", settings),
        Payload.json("{\"a\":1}"),
        Duration.ofMillis(1500),
        new RetryPolicy(
            5,
            Duration.ofSeconds(1),
            1.5,
            Duration.ofHours(1),
            false,
            Set.of(FailureKind.ERROR, FailureKind.LOST)),
        false,
        "slow",
        Map.of("disk", "ssd"),
        new Limit(Optional.of(3), Optional.of(new Rate(100, Rate.Unit.MINUTE)), Optional.of("k")),
        Map.of("team", "billing"));
  }

  static Job job() {
    Window window = Window.ALWAYS.from(DUE).on("holidays").spread(Duration.ofSeconds(30));
    return Job.named("nightly-invoices")
        .description("sends them")
        .trigger(new Trigger.Cron(
            "0 30 2 * * *",
            ZoneId.of("Europe/Zurich"),
            new DstRule(DstRule.Gap.SKIP, DstRule.Repeat.BOTH),
            Dialect.BELFRY,
            window))
        .local("send-invoice")
        .priority(Priority.HIGH)
        .overlap(OverlapPolicy.QUEUE)
        .notifications(new Notifications(
            Set.of(Notifications.Occasion.FAILED, Notifications.Occasion.LATE),
            List.of(Notifications.Target.parse("webhook:ops"))))
        .saved(new JobVersion(7, DUE, LATER))
        .build();
  }

  static WorkerRecord worker() {
    return worker(true, false);
  }

  static WorkerRecord worker(boolean accepting, boolean leaving) {
    return new WorkerRecord(
        "w1~7f3a",
        "w1",
        "127.0.0.1:7070",
        Map.of("disk", "ssd"),
        Set.of("slow"),
        2,
        16,
        accepting,
        true,
        leaving,
        DUE,
        LATER,
        300,
        new WorkerRecord.Load(0.25, 0.5, 1e6, 12),
        List.of(4711L, 1L << 62));
  }

  static Inbox inbox() {
    return new Inbox(List.of(new Order.Run(ASSIGNED, 99), new Order.Stop(FIRE, 4711, CANCEL)));
  }

  static SkippedRange skipped() {
    return new SkippedRange(DUE, LATER, 42, true, SkipReason.TOO_OLD);
  }
}
