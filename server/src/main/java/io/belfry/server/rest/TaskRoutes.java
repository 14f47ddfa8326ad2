package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.OPERATOR;
import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.core.history.Listing;
import io.belfry.core.history.Query;
import io.belfry.core.log.AttemptLog;
import io.belfry.library.Belfry;
import io.belfry.model.WireName;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.server.form.Fields;
import io.belfry.server.form.TaskForm;
import io.belfry.server.rest.Problem.Code;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tasks over REST, but for {@linkplain SubmitRoutes submitting} them. Threading: stateless. */
final class TaskRoutes {
  static final String TASKS = Spot.NS + "/tasks";
  private static final String TASK = TASKS + "/{task}";

  private final Spot spot;

  TaskRoutes(Spot spot) {
    this.spot = spot;
  }

  List<Route> all() {
    return List.of(
        Route.get("listTasks", TASKS, VIEWER, this::list).costs(Cost.LIST),
        Route.get("getTask", TASK, VIEWER, this::get).costs(Cost.SEARCH),
        Route.patch("changeTask", TASK, OPERATOR, this::change),
        Route.post("cancelTask", TASK + "/cancel", OPERATOR, this::cancel),
        Route.post("retryTask", TASK + "/retry", OPERATOR, this::retry));
  }

  private Answer list(Call call) {
    call.knows("state", "job", "queue", "worker", "since", "until", "limit", "cursor");
    Query query = new Query(
        call.query("state").map(StateName::parse),
        call.query("job").map(JobId::new),
        call.query("queue"),
        call.query("worker"),
        call.instant("since"),
        call.instant("until"));
    Belfry belfry = spot.of(call);
    return Listed.page(
        call,
        limit -> {
          Listing page = belfry.tasks(query, call.query("cursor"), limit);
          return new Listed.Batch<>(page.tasks(), page.next());
        },
        TaskForm::brief);
  }

  static ObjectNode ref(TaskId id) {
    return Spot.node().put("id", id.toString());
  }

  private Answer get(Call call) {
    Belfry belfry = spot.of(call);
    Task task = find(call, belfry);
    return Answer.ok(TaskForm.whole(
        task,
        belfry.unmatchedReason(task),
        belfry.progress(task.id()),
        belfry.lateReports(task.id())));
  }

  private static Task find(Call call, Belfry belfry) {
    String id = call.path("task");
    return belfry.task(TaskId.parse(id)).orElseThrow(() -> Problem.notFound("task", id));
  }

  private Answer change(Call call) {
    Fields fields = Fields.of(call.body());
    Priority priority = fields
        .word("priority", Priority.class)
        .orElseThrow(() -> fields.missing("priority", "it is what can be changed"));
    fields.end();
    Belfry belfry = spot.of(call);
    Task task = find(call, belfry);
    requireUnfinished(task, "changed");
    belfry.prioritize(task.id(), priority);
    return Answer.accepted(ref(task.id()));
  }

  private Answer cancel(Call call) {
    String reason = call.optionalBody()
        .flatMap(body -> {
          Fields fields = Fields.of(body);
          Optional<String> given = fields.text("reason");
          fields.end();
          return given;
        })
        .orElse("asked for by " + call.principal().name());
    Belfry belfry = spot.of(call);
    Task task = find(call, belfry);
    requireUnfinished(task, "cancelled");
    if (!belfry.cancel(task.id(), reason, call.principal().label())) {
      throw over(task, "cancelled");
    }
    return Answer.accepted(ref(task.id()));
  }

  private static void requireUnfinished(Task task, String done) {
    if (task.isFinal()) {
      throw over(task, done);
    }
  }

  private static Problem over(Task task, String done) {
    return Problem.of(
        Code.CONFLICT,
        "Task " + task.id() + " cannot be " + done + ", because it has ended ("
            + WireName.of(task.stateName()) + ").");
  }

  private Answer retry(Call call) {
    Belfry belfry = spot.of(call);
    Task task = find(call, belfry);
    if (!task.isFinal()) {
      throw Problem.of(
          Code.CONFLICT,
          "Task " + task.id() + " cannot be done again yet, because it has not ended ("
              + WireName.of(task.stateName()) + ").");
    }
    return Answer.created(ref(belfry.retry(task.id(), call.principal().label())));
  }

  /** The log of each attempt, for those who do not follow it. */
  static ObjectNode logs(List<AttemptLog> logs) {
    ObjectNode answer = Spot.node();
    ArrayNode attempts = answer.putArray("attempts");
    logs.forEach(
        each -> attempts.addObject().put("number", each.attempt()).put("text", each.text()));
    return answer;
  }
}
