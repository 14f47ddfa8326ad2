package io.belfry.server.form;

import io.belfry.core.record.LateReport;
import io.belfry.core.record.Progress;
import io.belfry.model.Durations;
import io.belfry.model.WireName;
import io.belfry.model.job.Work;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tasks as JSON. Threading: stateless. */
public final class TaskForm {
  private TaskForm() {}

  /** Writes the summary of a task that lists show. */
  public static ObjectNode brief(Task task) {
    Work work = task.work();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("id", task.id().toString()).put("name", work.name());
    task.id().jobId().ifPresent(job -> node.put("job", job.value()));
    node.put("state", WireName.of(task.stateName()))
        .put("priority", WireName.of(task.priority()))
        .put("queue", work.queue());
    node.set("executor", WorkForm.executor(work.executor()));
    node.put("scheduled", task.scheduled().toString());
    if (task.state() instanceof TaskState.Pending(var due)) {
      node.put("due", due.toString());
    }
    node.put("created", task.created().toString());
    task.submittedBy().ifPresent(who -> node.put("submittedBy", who));
    task.started().ifPresent(at -> node.put("started", at.toString()));
    task.ended().ifPresent(at -> node.put("ended", at.toString()));
    task.worker().ifPresent(worker -> node.put("worker", worker));
    node.put("attempts", task.attempts()).put("retries", task.retries());
    ending(task, node);
    return node;
  }

  /**
   * Writes all details of a task.
   *
   * @param waits reason why no worker matches the waiting task
   */
  public static ObjectNode whole(
      Task task, Optional<String> waits, Optional<Progress> progress, List<LateReport> rejected) {
    Work work = task.work();
    ObjectNode node = brief(task);
    waits.ifPresent(why -> node.put("waits", why));
    WorkForm.payload(work.payload()).ifPresent(payload -> node.set("payload", payload));
    node.put("idempotencyKey", task.idempotencyKey())
        .put("timeout", Durations.show(work.timeout()));
    node.set("retry", WorkForm.retry(work.retry()));
    if (work.atMostOnce()) {
      node.put("atMostOnce", true);
    }
    WorkForm.labels(work.workers()).ifPresent(labels -> node.set("workers", labels));
    WorkForm.limit(work.limit()).ifPresent(limit -> node.set("limit", limit));
    WorkForm.labels(work.metadata()).ifPresent(labels -> node.set("metadata", labels));
    task.cancel().ifPresent(cancel -> node.set("cancel", cancel(cancel)));
    progress.ifPresent(said -> node.putObject("progress")
        .put("fraction", said.fraction())
        .put("message", said.message())
        .put("at", said.at().toString()));
    ArrayNode history = node.putArray("history");
    task.history().kept().forEach(ended -> history.add(attempt(ended)));
    if (task.state() instanceof TaskState.Held held) {
      ObjectNode current = attempt(held.attempt());
      if (held instanceof TaskState.Running running) {
        current.put("started", running.since().toString());
      }
      history.add(current);
    }
    if (!rejected.isEmpty()) {
      ArrayNode late = node.putArray("rejected");
      rejected.forEach(report -> late.add(rejected(report)));
    }
    return node;
  }

  private static ObjectNode rejected(LateReport report) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("number", report.attempt())
        .put("token", Long.toString(report.token()))
        .put("worker", report.worker())
        .put("at", report.at().toString())
        .put("said", said(report.said()))
        .put("message", report.message());
  }

  /** The reported outcome, in the form in which outcomes of attempts are written. */
  private static String said(LateReport.Said said) {
    return said == LateReport.Said.HANDED_BACK ? "handedBack" : WireName.of(said);
  }

  private static void ending(Task task, ObjectNode node) {
    switch (task.state()) {
      case TaskState.Succeeded(Result result, var at) -> node.set("result", result(result));
      case TaskState.Failed(Failure failure, var at) -> {
        node.put("error", failure.result().message());
        node.set("result", result(failure.result()));
      }
      case TaskState.Cancelled(CancelRequest request, var at) ->
        node.put("error", "cancelled: " + request.reason());
      case TaskState.Skipped(var reason, var at) -> node.put("skipped", WireName.of(reason));
      case TaskState.Pending unused -> {}
      case TaskState.Held unused -> {}
    }
  }

  private static ObjectNode cancel(CancelRequest request) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("reason", request.reason())
        .put("by", request.by())
        .put("at", request.at().toString());
  }

  private static ObjectNode attempt(Attempt attempt) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("number", attempt.number())
        .put("token", attempt.token().toString())
        .put("worker", attempt.worker())
        .put("assigned", attempt.assigned().toString());
  }

  private static ObjectNode attempt(EndedAttempt ended) {
    ObjectNode node = attempt(ended.attempt());
    ended.started().ifPresent(at -> node.put("started", at.toString()));
    node.put("ended", ended.ended().toString());
    switch (ended.ending()) {
      case EndedAttempt.Ending.Succeeded unused -> node.put("outcome", "succeeded");
      case EndedAttempt.Ending.Failed(Failure failure) -> {
        node.put("outcome", "failed").put("failure", WireName.of(failure.kind()));
        node.set("result", result(failure.result()));
      }
      case EndedAttempt.Ending.HandedBack(String why) -> {
        node.put("outcome", "handedBack");
        node.putObject("result").put("message", why);
      }
      case EndedAttempt.Ending.Cancelled unused -> node.put("outcome", "cancelled");
    }
    return node;
  }

  private static ObjectNode result(Result result) {
    ObjectNode node = JsonNodeFactory.instance
        .objectNode()
        .put("code", result.code())
        .put("message", result.message());
    WorkForm.payload(result.data()).ifPresent(data -> node.set("data", data));
    return node;
  }
}
