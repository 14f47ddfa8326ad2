package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.DEVELOPER;
import static io.belfry.server.rest.Permission.OPERATOR;
import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.core.fire.Explanation;
import io.belfry.core.jobs.Triggered;
import io.belfry.library.Belfry;
import io.belfry.library.JobTimes;
import io.belfry.library.TriggerRequest;
import io.belfry.model.Check;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.time.Time;
import io.belfry.server.form.Fields;
import io.belfry.server.form.JobForm;
import io.belfry.server.rest.Problem.Code;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs over REST. Threading: stateless. */
final class JobRoutes {
  private static final String JOBS = Spot.NS + "/jobs";
  private static final String JOB = JOBS + "/{job}";

  private final Spot spot;
  private final Consumer<ExecutorSpec> check;
  private final Time time;

  JobRoutes(Spot spot, Consumer<ExecutorSpec> check, Time time) {
    this.spot = spot;
    this.check = check;
    this.time = time;
  }

  List<Route> all() {
    return List.of(
        Route.get("listJobs", JOBS, VIEWER, this::list).costs(Cost.LIST),
        Route.get("getJob", JOB, VIEWER, this::get).costs(Cost.RECORD),
        Route.put("putJob", JOB, DEVELOPER, this::put),
        Route.delete("deleteJob", JOB, DEVELOPER, this::delete),
        Route.post("triggerJob", JOB + "/trigger", OPERATOR, this::trigger),
        Route.post("enableJob", JOB + "/enable", OPERATOR, call -> enable(call, true))
            .costs(Cost.RECORD),
        Route.post("disableJob", JOB + "/disable", OPERATOR, call -> enable(call, false))
            .costs(Cost.RECORD),
        Route.get("explainJob", JOB + "/explain", VIEWER, this::explain).costs(Cost.RECORD),
        Route.get("listVersions", JOB + "/versions", VIEWER, this::versions).costs(Cost.LIST),
        Route.post(
                "restoreVersion", JOB + "/versions/{generation}/restore", DEVELOPER, this::restore)
            .costs(Cost.LIST));
  }

  private Answer list(Call call) {
    call.knows("q", "enabled", "label", "executor", "queue", "sort", "limit", "cursor");
    var wish = new JobSearch.Wish(
        call.query("q"),
        call.flag("enabled"),
        call.query("label"),
        call.query("executor"),
        call.query("queue"));
    var page = new Listed(call);
    Optional<String> next = new JobSearch(
            spot.of(call).jobs(), wish, call.query("sort").orElse("id"), time)
        .write(
            call.query("cursor"),
            call.limit(),
            found -> page.add(json(found.job(), found.times())));
    return page.end(next);
  }

  static ObjectNode json(Job job, JobTimes times) {
    ObjectNode node = JobForm.write(job);
    times.next().ifPresent(at -> node.put("next", at.toString()));
    times.last().ifPresent(at -> node.put("last", at.toString()));
    return node;
  }

  private static Answer one(int status, Belfry belfry, Job job) {
    Map<String, JobTimes> times = belfry.jobs().status(List.of(job.id().value()));
    ObjectNode node = Optional.ofNullable(times.get(job.id().value()))
        .map(found -> json(job, found))
        .orElseGet(() -> JobForm.write(job));
    return new Answer(status, node).with("ETag", tag(job));
  }

  private static String tag(Job job) {
    return "\"" + job.generation() + "\"";
  }

  private static Problem missing(Call call) {
    return Problem.notFound("job", call.path("job"));
  }

  private Answer get(Call call) {
    Belfry belfry = spot.of(call);
    Job job = belfry.jobs().get(call.path("job")).orElseThrow(() -> missing(call));
    return one(200, belfry, job);
  }

  private Answer put(Call call) {
    Belfry belfry = spot.of(call);
    Job wanted =
        JobForm.read(call.body(), Optional.of(call.path("job")), belfry.jobs().defaults());
    call.holding().begin(Cost.RECORD); // not while the body arrives, which may take a minute
    check.accept(wanted.work().executor());
    Optional<Long> expected = call.header("If-Match").map(tag -> generation("If-Match", tag));
    boolean onlyNew = call.header("If-None-Match").map(JobRoutes::isAny).orElse(false);
    Check.that(
        !(onlyNew && expected.isPresent()),
        "If-None-Match",
        new Check.Plain("given beside If-Match"),
        "must be given alone, because a job is either new or not",
        "Leave one of them out.");
    Job saved;
    if (onlyNew) {
      saved = belfry.jobs().save(wanted, 0);
    } else if (expected.isPresent()) {
      saved = belfry.jobs().save(wanted, expected.get());
    } else {
      saved = belfry.jobs().save(wanted);
    }
    boolean isNew =
        saved.saved().map(times -> times.created().equals(times.updated())).orElse(false);
    return one(isNew ? 201 : 200, belfry, saved);
  }

  private static boolean isAny(String tag) {
    Check.that(
        tag.equals("*"),
        "If-None-Match",
        tag,
        "must be * where something is saved, because it says that there must be none yet",
        "Write *, or leave it out.");
    return true;
  }

  private static long generation(String header, String tag) {
    String text = tag.startsWith("W/") ? tag.substring(2) : tag;
    try {
      return Long.parseLong(text.replace("\"", ""));
    } catch (NumberFormatException e) {
      throw Check.refusal(
          header,
          tag,
          "must be the ETag of the job as it was read",
          "Read the job again, and use its ETag.");
    }
  }

  private Answer delete(Call call) {
    Belfry belfry = spot.of(call);
    String id = call.path("job");
    Optional<Long> expected = call.header("If-Match").map(tag -> generation("If-Match", tag));
    boolean deleted = expected.isPresent()
        ? belfry.jobs().delete(id, expected.get())
        : belfry.jobs().delete(id);
    if (!deleted) {
      throw missing(call);
    }
    return Answer.nothing(204);
  }

  private Answer trigger(Call call) {
    Belfry belfry = spot.of(call);
    TriggerRequest request =
        call.optionalBody().map(JobRoutes::request).orElse(TriggerRequest.now());
    if (belfry.jobs().get(call.path("job")).isEmpty()) {
      throw missing(call);
    }
    Triggered triggered =
        belfry.jobs().trigger(call.path("job"), request.by(call.principal().label()));
    ObjectNode answer = Spot.node().put("id", triggered.task().toString());
    return triggered.repeated() ? Answer.ok(answer) : Answer.created(answer);
  }

  private static TriggerRequest request(JsonNode body) {
    Fields fields = Fields.of(body);
    TriggerRequest request =
        fields.instant("at").map(TriggerRequest::at).orElse(TriggerRequest.now());
    Optional<JsonNode> payload = fields.any("payload");
    if (payload.isPresent()) {
      request = request.payload(payload.get());
    }
    Optional<String> worker = fields.text("worker");
    if (worker.isPresent()) {
      request = request.worker(worker.get());
    }
    fields.end();
    return request;
  }

  private Answer enable(Call call, boolean on) {
    Belfry belfry = spot.of(call);
    String id = call.path("job");
    Job job = (on ? belfry.jobs().enable(id) : belfry.jobs().disable(id))
        .orElseThrow(() -> missing(call));
    return one(200, belfry, job);
  }

  private Answer explain(Call call) {
    call.knows("at");
    Belfry belfry = spot.of(call);
    String id = call.path("job");
    Optional<JobTimes> times =
        Optional.ofNullable(belfry.jobs().status(List.of(new JobId(id).value())).get(id));
    Instant at = call.instant("at").or(() -> times.flatMap(JobTimes::next)).orElseGet(time::wall);
    Explanation reason = belfry.jobs().explain(id, at);
    if (reason instanceof Explanation.NoJob) {
      throw missing(call);
    }
    ObjectNode answer = Spot.node()
        .put("at", at.toString())
        .put("outcome", word(reason))
        .put("sentence", reason.sentence());
    if (reason instanceof Explanation.Fired fired) {
      answer.put("task", fired.task().toString());
    }
    return Answer.ok(answer);
  }

  private static String word(Explanation reason) {
    String name = reason.getClass().getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  private Answer versions(Call call) {
    call.knows("cursor");
    List<Job> versions = spot.of(call).jobs().versions(call.path("job"));
    if (versions.isEmpty()) {
      throw missing(call);
    }
    return Listed.page(call, versions, JobRoutes::backwards, JobForm::write);
  }

  /** Sorts the newest first. */
  private static String backwards(Job job) {
    return "%019d".formatted(Long.MAX_VALUE - job.generation());
  }

  private static long version(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw Check.refusal(
          "generation",
          text,
          "must be the number of a version",
          "List the versions of the job, and use the generation of one.");
    }
  }

  private Answer restore(Call call) {
    Belfry belfry = spot.of(call);
    long generation = version(call.path("generation"));
    boolean known = belfry.jobs().versions(call.path("job")).stream()
        .anyMatch(job -> job.generation() == generation);
    if (!known) {
      throw Problem.of(
          Code.NOT_FOUND,
          "Of job \"" + call.path("job") + "\" there is no version " + generation
              + " any more. List its versions.");
    }
    return one(200, belfry, belfry.jobs().restore(call.path("job"), generation));
  }
}
