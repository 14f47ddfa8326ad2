package io.belfry.server.form;

import io.belfry.model.Check;
import io.belfry.model.Durations;
import io.belfry.model.WireName;
import io.belfry.model.job.Expect;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.Notifications;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Shards;
import io.belfry.model.job.Work;
import io.belfry.model.job.WorkDefaults;
import io.belfry.model.missed.MissedPolicy;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converts jobs to JSON and back. A job from a response can be sent back unchanged. Threading: stateless. */
public final class JobForm {
  private JobForm() {}

  /**
   * Reads a job from a document.
   *
   * @param id id in the URL; a different id in the document is refused
   * @param defaults values for fields that the document does not contain
   */
  public static Job read(JsonNode document, Optional<String> id, WorkDefaults defaults) {
    Fields fields = Fields.of(document);
    JobBuilder job = Job.named(id(fields, id), defaults);
    fields.text("name").ifPresent(job::name);
    fields.text("description").ifPresent(job::description);
    fields.any("trigger").ifPresent(node -> job.trigger(TriggerForm.read("trigger", node)));
    job.executor(WorkForm.executor(fields));
    fields.any("payload").ifPresent(node -> job.payload(WorkForm.payload(node)));
    fields.duration("timeout").ifPresent(job::timeout);
    WorkForm.retry(fields, defaults.retry()).ifPresent(job::retry);
    fields.flag("atMostOnce").ifPresent(job::atMostOnce);
    fields.object("missed", JobForm::missed).ifPresent(job::missed);
    fields.word("overlap", OverlapPolicy.class).ifPresent(job::overlap);
    fields.word("priority", Priority.class).ifPresent(job::priority);
    fields.text("queue").ifPresent(job::queue);
    fields.labels("workers").ifPresent(job::workers);
    WorkForm.limit(fields).ifPresent(job::limit);
    fields.textOrWhole("shards").ifPresent(text -> job.shards(Shards.parse(text)));
    fields.object("expect", JobForm::expect).ifPresent(job::expect);
    fields.object("notify", JobForm::notifications).ifPresent(job::notifications);
    fields.object("retain", inner -> {
      inner.duration("for").ifPresent(job::retain);
      inner.whole("last").ifPresent(job::retainLast);
      return job;
    });
    fields.flag("enabled").ifPresent(job::enabled);
    job.metadata(WorkForm.metadata(fields));
    fields.ignore("generation", "created", "updated", "next", "last");
    fields.end();
    return job.build();
  }

  private static String id(Fields fields, Optional<String> id) {
    Optional<String> own = fields.text("id");
    if (id.isPresent() && own.isPresent() && !own.equals(id)) {
      throw Check.refusal(
          "id",
          own.get(),
          "must be the id in the URL (" + id.get() + "), or be left out",
          "Correct one of the two.");
    }
    return id.or(() -> own).orElseThrow(() -> fields.missing("id", "it identifies the job"));
  }

  private static MissedPolicy missed(Fields fields) {
    MissedPolicy usual = MissedPolicy.DEFAULT;
    return new MissedPolicy(
        fields.word("policy", MissedPolicy.Policy.class).orElse(usual.policy()),
        fields.duration("maxAge").orElse(usual.maxAge()),
        fields.whole("maxCount").orElse(usual.maxCount()));
  }

  private static Expect expect(Fields fields) {
    return new Expect(
        fields.text("finishedBy").map(text -> timeOfDay(fields.name("finishedBy"), text)),
        fields.duration("maxLateness"),
        fields.duration("maxDuration"));
  }

  private static LocalTime timeOfDay(String name, String text) {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeException e) {
      throw Check.refusal(
          name,
          text,
          "must be a time of day, because it applies every day",
          "Write it like 06:00.");
    }
  }

  private static Notifications notifications(Fields fields) {
    return new Notifications(
        fields.words("on", Notifications.Occasion.class).orElse(Set.of()),
        fields.texts("to").orElse(List.of()).stream()
            .map(Notifications.Target::parse)
            .toList());
  }

  /** Writes a stored job, without empty fields. */
  public static ObjectNode write(Job job) {
    Work work = job.work();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("id", job.id().value()).put("name", job.name());
    if (!job.description().isEmpty()) {
      node.put("description", job.description());
    }
    node.set("trigger", TriggerForm.write(job.trigger()));
    node.set("executor", WorkForm.executor(work.executor()));
    WorkForm.payload(work.payload()).ifPresent(payload -> node.set("payload", payload));
    node.put("timeout", Durations.show(work.timeout()));
    node.set("retry", WorkForm.retry(work.retry()));
    if (work.atMostOnce()) {
      node.put("atMostOnce", true);
    }
    node.putObject("missed")
        .put("policy", WireName.of(job.missed().policy()))
        .put("maxAge", Durations.show(job.missed().maxAge()))
        .put("maxCount", job.missed().maxCount());
    node.put("overlap", WireName.of(job.overlap()))
        .put("priority", WireName.of(job.priority()))
        .put("queue", work.queue());
    WorkForm.labels(work.workers()).ifPresent(labels -> node.set("workers", labels));
    WorkForm.limit(work.limit()).ifPresent(limit -> node.set("limit", limit));
    writeRest(job, node);
    return node;
  }

  private static void writeRest(Job job, ObjectNode node) {
    switch (job.shards()) {
      case Shards.Fixed(int count) when count == 1 -> {}
      case Shards.Fixed(int count) -> node.put("shards", count);
      case Shards.PerWorker unused -> node.put("shards", "workers");
    }
    if (!job.expect().equals(Expect.NOTHING)) {
      ObjectNode expect = node.putObject("expect");
      job.expect().finishedBy().ifPresent(at -> expect.put("finishedBy", at.toString()));
      job.expect().maxLateness().ifPresent(d -> expect.put("maxLateness", Durations.show(d)));
      job.expect().maxDuration().ifPresent(d -> expect.put("maxDuration", Durations.show(d)));
    }
    if (!job.notifications().equals(Notifications.NONE)) {
      ObjectNode notify = node.putObject("notify");
      var on = notify.putArray("on");
      job.notifications().on().forEach(occasion -> on.add(WireName.of(occasion)));
      var to = notify.putArray("to");
      job.notifications().to().forEach(target -> to.add(target.toString()));
    }
    ObjectNode retain = node.putObject("retain").put("for", Durations.show(job.retain()));
    job.retainLast().ifPresent(last -> retain.put("last", last));
    node.put("enabled", job.enabled());
    WorkForm.labels(job.work().metadata()).ifPresent(labels -> node.set("metadata", labels));
    job.saved()
        .ifPresent(saved -> node.put("generation", saved.generation())
            .put("created", saved.created().toString())
            .put("updated", saved.updated().toString()));
  }
}
