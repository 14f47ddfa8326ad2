package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.OPERATOR;

import io.belfry.library.Belfry;
import io.belfry.library.TriggerRequest;
import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.server.access.Role;
import io.belfry.server.form.Fields;
import io.belfry.server.form.JobForm;
import io.belfry.server.rest.Problem.Code;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One action on many jobs, each with its own outcome. Threading: stateless. */
final class BulkRoutes {
  private static final int JOBS_MAX = 1000;

  private final Spot spot;
  private final Problems problems;
  private final Consumer<ExecutorSpec> check;

  BulkRoutes(Spot spot, Problems problems, Consumer<ExecutorSpec> check) {
    this.check = check;
    this.spot = spot;
    this.problems = problems;
  }

  List<Route> all() {
    return List.of(Route.post("changeJobs", Spot.NS + "/jobs", OPERATOR, this::change));
  }

  private enum Action {
    ENABLE,
    DISABLE,
    TRIGGER,
    DELETE,
    APPLY;

    /** Whether it needs the right to define. */
    boolean defines() {
      return this == DELETE || this == APPLY;
    }
  }

  private Answer change(Call call) {
    Fields fields = Fields.of(call.body());
    Action action = fields
        .word("action", Action.class)
        .orElseThrow(() -> fields.missing("action", "it says what is to be done"));
    List<String> ids = fields.texts("ids").orElse(List.of());
    List<JsonNode> jobs = fields.items("jobs").orElse(List.of());
    boolean dry = fields.flag("dryRun").orElse(false);
    fields.end();
    requireFits(action, ids, jobs, dry);
    call.concerns(Bulk.asked(words(action, dry), action == Action.APPLY ? names(jobs) : ids));
    if (action.defines() && !call.principal().role().includes(Role.DEVELOPER)) {
      throw Problem.at(
          "action",
          Code.FORBIDDEN,
          "The action " + WireName.of(action) + " needs the role developer, but the token has "
              + WireName.of(call.principal().role()) + ".");
    }
    call.holding().begin(Cost.RECORD); // before anything is done
    Belfry belfry = spot.of(call);
    ObjectNode answer = Spot.node();
    ArrayNode results = answer.putArray("results");
    if (action == Action.APPLY) {
      jobs.forEach(job -> results.add(apply(call, belfry, job, dry)));
    } else {
      ids.forEach(id -> results.add(act(call, belfry, action, id)));
    }
    call.concerns(Bulk.done(words(action, dry), results));
    return Answer.ok(answer);
  }

  private static String words(Action action, boolean dry) {
    return WireName.of(action) + (dry ? " (dry run)" : "");
  }

  private static List<String> names(List<JsonNode> jobs) {
    return jobs.stream().map(job -> job.path("id").asString("")).toList();
  }

  private static void requireFits(
      Action action, List<String> ids, List<JsonNode> jobs, boolean dry) {
    boolean applies = action == Action.APPLY;
    String needed = applies ? "jobs" : "ids";
    int count = applies ? jobs.size() : ids.size();
    Check.that(
        count >= 1 && count <= JOBS_MAX,
        needed,
        new Check.Amount(count, "jobs"),
        "must name 1 to " + JOBS_MAX + " jobs, because each is answered by itself",
        count == 0 ? "Name those that are meant." : "Send several requests.");
    Check.that(
        applies ? ids.isEmpty() : jobs.isEmpty(),
        applies ? "ids" : "jobs",
        new Check.Plain("given"),
        "has no meaning with the action " + WireName.of(action),
        "Leave it out.");
    Check.that(
        applies || !dry,
        "dryRun",
        dry,
        "has a meaning with the action apply only",
        "Leave it out.");
    Set<String> seen = new HashSet<>();
    ids.forEach(id -> Check.that(
        seen.add(id), "ids", id, "must name each job once", "Leave the second one out."));
  }

  /** Each is a change of its own: a token that is revoked in the middle changes no further job. */
  private ObjectNode act(Call call, Belfry belfry, Action action, String id) {
    ObjectNode result = Spot.node().put("id", id);
    try {
      call.requireStillAllowed();
      boolean there = switch (action) {
        case ENABLE -> belfry.jobs().enable(id).isPresent();
        case DISABLE -> belfry.jobs().disable(id).isPresent();
        case DELETE -> belfry.jobs().delete(id);
        case TRIGGER, APPLY -> trigger(belfry, id, call.principal().label(), result);
      };
      if (!there) {
        throw Problem.notFound("job", id);
      }
      return result.put("outcome", "done");
    } catch (RuntimeException e) {
      return refused(result, e);
    }
  }

  private static boolean trigger(Belfry belfry, String id, String who, ObjectNode result) {
    if (belfry.jobs().get(id).isEmpty()) {
      return false;
    }
    TriggerRequest request = TriggerRequest.now().by(who);
    result.put("task", belfry.jobs().trigger(id, request).task().toString());
    return true;
  }

  private ObjectNode refused(ObjectNode result, RuntimeException e) {
    result.put("outcome", "refused");
    result.set("error", problems.of(e).json());
    return result;
  }

  /** What stands there already in just that way is left alone: applying twice changes nothing. */
  private ObjectNode apply(Call call, Belfry belfry, JsonNode document, boolean dry) {
    String id = document.path("id").asString("");
    ObjectNode result = Spot.node().put("id", id);
    try {
      call.requireStillAllowed();
      Job wanted = JobForm.read(document, Optional.empty(), belfry.jobs().defaults());
      check.accept(wanted.work().executor());
      Optional<Job> before = belfry.jobs().get(wanted.id().value());
      if (before.isPresent() && same(before.get(), wanted)) {
        return result.put("outcome", "unchanged");
      }
      if (dry) {
        var unused = belfry.jobs().preview(wanted, 1);
      } else {
        belfry.jobs().save(wanted, before.map(Job::generation).orElse(0L));
      }
      return result.put("outcome", before.isPresent() ? "changed" : "created");
    } catch (RuntimeException e) {
      return refused(result, e);
    }
  }

  private static boolean same(Job before, Job wanted) {
    return before
        .saved()
        .map(saved -> wanted.edit().saved(saved).build().equals(before))
        .orElse(false);
  }
}
