package io.belfry.server.live;

import io.belfry.core.event.Happening;
import io.belfry.model.WireName;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converts events to compact JSON. Threading: stateless. */
final class EventForm {
  private EventForm() {}

  /** The type as used in URLs and on the wire: {@code taskCompleted}. */
  static String type(Happening happening) {
    return type(happening.getClass());
  }

  static String type(Class<?> happening) {
    String name = happening.getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  static Optional<String> job(Happening happening) {
    return switch (happening) {
      case Happening.OfTask of -> of.task().id().jobId().map(JobId::value);
      case Happening.FiresSkipped skipped -> Optional.of(skipped.job().value());
      case Happening.ReportRejected rejected -> rejected.task().jobId().map(JobId::value);
      default -> Optional.empty();
    };
  }

  static ObjectNode json(Happening happening) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("type", type(happening));
    switch (happening) {
      case Happening.OfTask of -> task(of.task(), node);
      case Happening.FiresSkipped(JobId job, var range) ->
        node.put("job", job.value())
            .put("from", range.from().toString())
            .put("to", range.to().toString())
            .put("count", range.count())
            .put("reason", WireName.of(range.reason()));
      case Happening.WorkerJoined(String worker) -> node.put("worker", worker);
      case Happening.WorkerLeft(String worker) -> node.put("worker", worker);
      case Happening.WorkerOnline(String worker) -> node.put("worker", worker);
      case Happening.WorkerOffline(String worker) -> node.put("worker", worker);
      case Happening.LeaderChanged(var term) ->
        node.put("leader", term.leader())
            .put("term", term.number())
            .put("since", term.since().toString());
      case Happening.ReportRejected(var task, long token) ->
        node.put("task", task.toString()).put("token", Long.toString(token));
      case Happening.TasksUnmatched(String queue, var labels, long tasks) -> {
        node.put("queue", queue).put("count", tasks);
        ObjectNode wanted = node.putObject("labels");
        new TreeMap<>(labels).forEach(wanted::put);
      }
    }
    return node;
  }

  private static void task(Task task, ObjectNode node) {
    node.put("task", task.id().toString())
        .put("name", task.work().name())
        .put("state", WireName.of(task.stateName()));
    task.id().jobId().ifPresent(job -> node.put("job", job.value()));
    task.submittedBy().ifPresent(who -> node.put("submittedBy", who));
    task.worker().ifPresent(worker -> node.put("worker", worker));
    node.put("attempts", task.attempts());
    task.ended().ifPresent(at -> node.put("ended", at.toString()));
  }
}
