package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ANY;
import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.library.JobOperations;
import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.cron.Cron;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.Fire;
import io.belfry.model.cron.Language;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.time.Time;
import io.belfry.server.form.Fields;
import io.belfry.server.form.JobForm;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What would be: when a job or a cron expression fires, before anything is saved. Threading: stateless. */
final class PreviewRoutes {
  private static final int EXPRESSION_CHARS_MAX = 256;
  private static final int JOB_FIRES_MAX = 100;
  private static final int CRON_FIRES_MAX = 1000;
  private static final int FIRES_USUAL = 5;

  private final Spot spot;
  private final Consumer<ExecutorSpec> check;
  private final Time time;

  PreviewRoutes(Spot spot, Consumer<ExecutorSpec> check, Time time) {
    this.spot = spot;
    this.check = check;
    this.time = time;
  }

  List<Route> all() {
    return List.of(
        Route.post("previewJob", Spot.NS + "/jobs/preview", VIEWER, this::job).often(),
        Route.get("previewCron", "/api/v1/cron/preview", ANY, this::cron).costs(Cost.RECORD));
  }

  private Answer job(Call call) {
    call.knows("count");
    int count = call.whole("count", 1, JOB_FIRES_MAX).orElse(FIRES_USUAL);
    JobOperations jobs = spot.of(call).jobs();
    Job job = JobForm.read(call.body(), Optional.empty(), jobs.defaults());
    check.accept(job.work().executor());
    List<Instant> coming = jobs.preview(job, count);
    Optional<Cron> cron = cron(job);
    ObjectNode answer = Spot.node();
    cron.ifPresent(read -> answer.put("description", read.describe(Language.ENGLISH)));
    ArrayNode next = answer.putArray("next");
    coming.forEach(at -> fire(next.addObject(), at, cron));
    return Answer.ok(answer);
  }

  private Optional<Cron> cron(Job job) {
    return job.trigger() instanceof Trigger.Cron cron
        ? Optional.of(cron.read(job.id(), time.wall()))
        : Optional.empty();
  }

  /** With the time on the job's own clock, and what is odd about it: a day when clocks change. */
  private static void fire(ObjectNode node, Instant at, Optional<Cron> cron) {
    node.put("at", at.toString());
    cron.ifPresent(read -> read.preview(at.minusNanos(1), 1).stream()
        .filter(fire -> fire.at().equals(at))
        .forEach(fire -> {
          node.put("local", text(fire));
          remark(fire).ifPresent(remark -> node.put("remark", remark));
        }));
  }

  private static Optional<String> remark(Fire fire) {
    return switch (fire.mark()) {
      case PLAIN -> Optional.empty();
      case MOVED -> Optional.of("moved: clocks jump over " + fire.nominal().toLocalTime());
      case FIRST_OF_TWO -> Optional.of("first of two: clocks show this time twice");
      case SECOND_OF_TWO -> Optional.of("second of two: clocks show this time twice");
    };
  }

  private static String text(Fire fire) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(fire.time());
  }

  private Answer cron(Call call) {
    call.knows("expression", "zone", "after", "count", "job", "dialect", "language");
    String expression = call.query("expression")
        .orElseThrow(() -> Check.refusal(
            "expression",
            new Check.Plain("nothing"),
            "must be given, because it is what is read",
            "Add the parameter."));
    Check.atMost("expression", expression, EXPRESSION_CHARS_MAX);
    ZoneId zone = call.query("zone").map(text -> Fields.zone("zone", text)).orElse(ZoneOffset.UTC);
    Instant after = call.instant("after").orElseGet(time::wall);
    Dialect dialect = call.query("dialect")
        .map(text -> WireName.parse(Dialect.class, "dialect", text))
        .orElse(Dialect.BELFRY);
    Language language = call.query("language")
        .map(text -> WireName.parse(Language.class, "language", text))
        .orElse(Language.ENGLISH);
    Optional<String> job = call.query("job");
    Cron cron = (job.isPresent()
            ? Cron.parse(expression, dialect, new JobId(job.get()).value())
            : Cron.parse(expression, dialect))
        .in(zone)
        .from(after);
    ObjectNode answer = Spot.node()
        .put("expression", expression)
        .put("zone", Fields.zone(zone))
        .put("description", cron.describe(language));
    ArrayNode next = answer.putArray("next");
    cron.preview(after, call.whole("count", 1, CRON_FIRES_MAX).orElse(FIRES_USUAL))
        .forEach(fire -> next.add(text(fire)));
    return Answer.ok(answer);
  }
}
