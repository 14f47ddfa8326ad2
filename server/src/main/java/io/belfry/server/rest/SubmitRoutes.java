package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.OPERATOR;

import io.belfry.library.Belfry;
import io.belfry.library.Submission;
import io.belfry.library.Submitted;
import io.belfry.model.Check;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.TaskId;
import io.belfry.server.access.Principal;
import io.belfry.server.access.SubmitRule;
import io.belfry.server.form.SubmissionForm;
import io.belfry.server.rest.Problem.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Submits tasks: by job and by listed handler for operators, with an executor of their own for those who may define. Each task of an array is judged
 * by itself.
 *
 * <p>Threading: stateless.
 */
final class SubmitRoutes {
  private static final int BATCH_MAX = 1000;

  /** Memory for the outcome of one task of a batch. It is held until the store has acknowledged the batch, which may take seconds: so it is small. */
  static final long OUTCOME_BYTES = 1 << 10;

  private final Spot spot;
  private final Problems problems;
  private final RetryPolicy retry;
  private final Consumer<ExecutorSpec> check;
  private final SubmitRule rule;

  SubmitRoutes(
      Spot spot,
      Problems problems,
      RetryPolicy retry,
      Consumer<ExecutorSpec> check,
      SubmitRule rule) {
    this.spot = spot;
    this.problems = problems;
    this.retry = retry;
    this.check = check;
    this.rule = rule;
  }

  List<Route> all() {
    return List.of(
        Route.post("submitTask", TaskRoutes.TASKS, OPERATOR, this::submit).often());
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
      return many(call, List.copyOf(body.values()));
    }
    Belfry belfry = spot.of(call);
    var reading = new Reading(call.principal());
    Submission submission;
    try {
      submission = reading.read(body, key, jobs(belfry, List.of(body)));
    } catch (Problem problem) {
      call.concerns(reading.what);
      throw problem;
    }
    return switch (belfry.submitAll(List.of(submission)).getFirst()) {
      case Submitted.Accepted(TaskId id) -> {
        var submits = new Submits(call);
        submits.accepted(reading, id);
        submits.end();
        yield Answer.created(TaskRoutes.ref(id)).with("Location", address(call, id));
      }
      case Submitted.Repeated(TaskId id) -> Answer.ok(TaskRoutes.ref(id));
      case Submitted.Refused(RuntimeException cause) -> {
        var submits = new Submits(call);
        submits.refusedByStore(reading, cause);
        submits.end();
        throw cause;
      }
    };
  }

  private static String address(Call call, TaskId id) {
    return Spot.ROOT + "/" + call.path("ns") + "/tasks/" + id;
  }

  /** The newest definitions of all jobs that are named, in one read. */
  private static Map<String, Job> jobs(Belfry belfry, List<JsonNode> documents) {
    Set<String> ids = documents.stream()
        .flatMap(each -> SubmissionForm.job(each).stream())
        .collect(Collectors.toSet());
    return ids.isEmpty() ? Map.of() : belfry.jobs().get(ids);
  }

  /** One task while it is read: what it is, in the words of the audit log, and whether it defines work. Threading: confined to its request. */
  final class Reading {
    private final Principal who;
    private String what = "";
    private boolean defines;

    private Reading(Principal who) {
      this.who = who;
    }

    private Submission read(JsonNode document, Optional<String> key, Map<String, Job> jobs) {
      Submission made = SubmissionForm.namesJob(document)
          ? ofJob(document, key, jobs)
          : SubmissionForm.read(document, key, retry, this::judge);
      return made.by(who.label());
    }

    private Submission ofJob(JsonNode document, Optional<String> key, Map<String, Job> jobs) {
      String id = SubmissionForm.requireJob(document);
      what = "job " + id;
      Job job = Optional.ofNullable(jobs.get(id)).orElseThrow(() -> Problem.notFound("job", id));
      return SubmissionForm.ofJob(document, key, job);
    }

    /** Rights come first: whoever may not submit this learns nothing of whether it would work. */
    private void judge(ExecutorSpec executor) {
      what = SubmitRule.describe(executor);
      defines = SubmitRule.isInline(executor);
      rule.refusal(who, executor).ifPresent(why -> {
        throw Problem.at("executor", Code.FORBIDDEN, why);
      });
      check.accept(executor);
    }

    String what() {
      return what;
    }

    boolean defines() {
      return defines;
    }
  }

  /** What cannot be read is refused by itself; the others are submitted together. */
  private Answer many(Call call, List<JsonNode> documents) {
    Check.that(
        !documents.isEmpty() && documents.size() <= BATCH_MAX,
        "body",
        new Check.Amount(documents.size(), "tasks"),
        "must have 1 to " + BATCH_MAX + " tasks, because each is answered by itself",
        "Send several requests.");
    call.holding().begin(documents.size() * OUTCOME_BYTES); // before anything is done
    Belfry belfry = spot.of(call);
    Map<String, Job> jobs = jobs(belfry, documents);
    List<Object> outcomes = new ArrayList<>();
    List<Submission> readable = new ArrayList<>();
    var submits = new Submits(call);
    for (JsonNode each : documents) {
      var reading = new Reading(call.principal());
      try {
        readable.add(reading.read(each, Optional.empty(), jobs));
        outcomes.add(reading);
      } catch (RuntimeException e) {
        Problem problem = problems.of(e);
        submits.refused(reading, problem);
        outcomes.add(problem);
      }
    }
    var submitted = belfry.submitAll(readable).iterator();
    ObjectNode answer = Spot.node();
    ArrayNode results = answer.putArray("results");
    for (Object outcome : outcomes) {
      results.add(
          outcome instanceof Reading reading
              ? outcome(submitted.next(), reading, submits)
              : refused((Problem) outcome));
    }
    submits.end();
    return Answer.ok(answer);
  }

  private ObjectNode outcome(Submitted submitted, Reading reading, Submits submits) {
    return switch (submitted) {
      case Submitted.Accepted(TaskId id) -> {
        submits.accepted(reading, id);
        yield TaskRoutes.ref(id).put("outcome", "accepted");
      }
      case Submitted.Repeated(TaskId id) -> TaskRoutes.ref(id).put("outcome", "repeated");
      case Submitted.Refused(RuntimeException cause) -> {
        submits.refusedByStore(reading, cause);
        yield refused(problems.of(cause));
      }
    };
  }

  private static ObjectNode refused(Problem problem) {
    ObjectNode node = Spot.node().put("outcome", "refused");
    node.set("error", problem.json());
    return node;
  }
}
