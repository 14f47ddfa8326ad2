package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.OPERATOR;
import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.core.journal.AttemptText;
import io.belfry.core.retain.Listing;
import io.belfry.core.retain.Query;
import io.belfry.library.Belfry;
import io.belfry.library.Submission;
import io.belfry.library.Submitted;
import io.belfry.model.Check;
import io.belfry.model.Word;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.server.form.Fields;
import io.belfry.server.form.SubmissionForm;
import io.belfry.server.form.TaskForm;
import io.belfry.server.rest.Problem.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tasks over REST. Threading: stateless. */
final class TaskRoutes {
  private static final String TASKS = Spot.NS + "/tasks";
  private static final String TASK = TASKS + "/{task}";
  private static final int BATCH_MAX = 1000;

  private final Spot spot;
  private final Problems problems;
  private final RetryPolicy retry;
  private final Consumer<ExecutorSpec> check;

  TaskRoutes(Spot spot, Problems problems, RetryPolicy retry, Consumer<ExecutorSpec> check) {
    this.check = check;
    this.spot = spot;
    this.problems = problems;
    this.retry = retry;
  }

  List<Route> all() {
    return List.of(
        Route.get("listTasks", TASKS, VIEWER, this::list),
        Route.post("submitTask", TASKS, OPERATOR, this::submit).often(),
        Route.get("getTask", TASK, VIEWER, this::get),
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
    Listing page = spot.of(call).tasks(query, call.query("cursor"), call.limit());
    ObjectNode answer = Spot.node();
    ArrayNode items = answer.putArray("items");
    page.tasks().forEach(task -> items.add(TaskForm.brief(task)));
    page.next().ifPresent(next -> answer.put("next", next));
    return Answer.ok(answer);
  }

  private Answer submit(Call call) {
    JsonNode body = call.body();
    Optional<String> key = call.header("Idempotency-Key");
    if (body.isArray()) {
      Check.that(
          key.isEmpty(),
          "Idempotency-Key",
          new Check.Plain("given"),
          "must not be given with an array, because each task has its own",
          "Put a key into each task.");
      return many(call, body);
    }
    Belfry belfry = spot.of(call);
    Submission submission = SubmissionForm.read(body, key, retry, check);
    return switch (belfry.submitAll(List.of(submission)).getFirst()) {
      case Submitted.Accepted(TaskId id) ->
        Answer.created(ref(id)).with("Location", address(call, id));
      case Submitted.Repeated(TaskId id) -> Answer.ok(ref(id));
      case Submitted.Refused(RuntimeException cause) -> throw cause;
    };
  }

  private static String address(Call call, TaskId id) {
    return Spot.ROOT + "/" + call.path("ns") + "/tasks/" + id;
  }

  /** What cannot be read is refused by itself; the others are submitted together. */
  private Answer many(Call call, JsonNode body) {
    Check.that(
        body.size() >= 1 && body.size() <= BATCH_MAX,
        "body",
        new Check.Amount(body.size(), "tasks"),
        "must have 1 to " + BATCH_MAX + " tasks, because each is answered by itself",
        "Send several requests.");
    List<Object> outcomes = new ArrayList<>();
    List<Submission> readable = new ArrayList<>();
    for (JsonNode each : body.values()) {
      try {
        Submission submission = SubmissionForm.read(each, Optional.empty(), retry, check);
        outcomes.add(submission);
        readable.add(submission);
      } catch (RuntimeException e) {
        outcomes.add(problems.of(e));
      }
    }
    var submitted = spot.of(call).submitAll(readable).iterator();
    ObjectNode answer = Spot.node();
    ArrayNode results = answer.putArray("results");
    for (Object outcome : outcomes) {
      results.add(
          outcome instanceof Problem problem ? refused(problem) : outcome(submitted.next()));
    }
    return Answer.ok(answer);
  }

  private ObjectNode outcome(Submitted submitted) {
    return switch (submitted) {
      case Submitted.Accepted(TaskId id) -> ref(id).put("outcome", "accepted");
      case Submitted.Repeated(TaskId id) -> ref(id).put("outcome", "repeated");
      case Submitted.Refused(RuntimeException cause) -> refused(problems.of(cause));
    };
  }

  private static ObjectNode refused(Problem problem) {
    ObjectNode node = Spot.node().put("outcome", "refused");
    node.set("error", problem.json());
    return node;
  }

  private static ObjectNode ref(TaskId id) {
    return Spot.node().put("id", id.toString());
  }

  private Answer get(Call call) {
    Belfry belfry = spot.of(call);
    Task task = find(call, belfry);
    return Answer.ok(TaskForm.whole(
        task, belfry.waits(task), belfry.progress(task.id()), belfry.rejected(task.id())));
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
    belfry.prioritise(task.id(), priority);
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
    if (!belfry.cancel(task.id(), reason)) {
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
            + Word.of(task.stateName()) + ").");
  }

  private Answer retry(Call call) {
    Belfry belfry = spot.of(call);
    Task task = find(call, belfry);
    if (!task.isFinal()) {
      throw Problem.of(
          Code.CONFLICT,
          "Task " + task.id() + " cannot be done again yet, because it has not ended ("
              + Word.of(task.stateName()) + ").");
    }
    return Answer.created(ref(belfry.retry(task.id())));
  }

  /** The log of each attempt, for those who do not follow it. */
  static ObjectNode logs(List<AttemptText> logs) {
    ObjectNode answer = Spot.node();
    ArrayNode attempts = answer.putArray("attempts");
    logs.forEach(
        each -> attempts.addObject().put("number", each.attempt()).put("text", each.text()));
    return answer;
  }
}
