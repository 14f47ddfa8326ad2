package io.belfry.server.form;

import io.belfry.model.Check;
import io.belfry.model.Durations;
import io.belfry.model.WireName;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converts triggers to JSON and back: {@code {"cron": …}}, {@code {"every": …}}, {@code {"at": …}}, {@code {"after": …}} or {@code "none"}. */
final class TriggerForm {
  private static final String NONE = "none";
  private static final List<String> KINDS = List.of("cron", "every", "at", "after");

  private TriggerForm() {}

  static Trigger read(String path, JsonNode node) {
    if (node.isString() && node.asString().equals(NONE)) {
      return new Trigger.Manual();
    }
    Fields fields = Fields.at(path, node);
    List<String> given = KINDS.stream().filter(node::hasNonNull).toList();
    Check.that(
        given.size() == 1,
        path,
        new Check.Plain(given.isEmpty() ? "none of them" : String.join(" and ", given)),
        "must have exactly one of cron, every, at and after, because it defines when the job fires",
        "Keep one of them, or write trigger: none for a job that is only triggered manually.");
    Trigger trigger = switch (given.getFirst()) {
      case "cron" -> cron(fields);
      case "every" -> every(fields);
      case "at" -> new Trigger.At(fields.instant("at").orElseThrow());
      default -> after(fields);
    };
    fields.end();
    return trigger;
  }

  private static Trigger cron(Fields fields) {
    ZoneId zone = fields.zone("zone").orElse(ZoneOffset.UTC);
    DstRule dst = fields
        .object(
            "dst",
            inner -> new DstRule(
                inner.word("gap", DstRule.Gap.class).orElse(DstRule.DEFAULT.gap()),
                inner.word("repeat", DstRule.Repeat.class).orElse(DstRule.DEFAULT.repeat())))
        .orElse(DstRule.DEFAULT);
    return new Trigger.Cron(
        fields.text("cron").orElseThrow(),
        zone,
        dst,
        fields.word("dialect", Dialect.class).orElse(Dialect.BELFRY),
        window(fields, zone));
  }

  private static Trigger every(Fields fields) {
    return new Trigger.Every(
        fields.duration("every").orElseThrow(),
        fields.word("from", Trigger.Every.From.class).orElse(Trigger.Every.From.START),
        window(fields, ZoneOffset.UTC));
  }

  private static Trigger after(Fields fields) {
    return new Trigger.After(
        new JobId(fields.text("after").orElseThrow()),
        fields.word("on", Trigger.After.Outcome.class).orElse(Trigger.After.Outcome.SUCCEEDED));
  }

  private static Window window(Fields fields, ZoneId zone) {
    return new Window(
        fields.instantOrDay("start", zone),
        fields.instantOrDay("end", zone),
        fields.text("calendar"),
        fields.duration("jitter").orElse(Duration.ZERO));
  }

  static JsonNode write(Trigger trigger) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    switch (trigger) {
      case Trigger.Manual unused -> {
        return JsonNodeFactory.instance.stringNode(NONE);
      }
      case Trigger.Cron cron -> {
        node.put("cron", cron.expression()).put("zone", Fields.zone(cron.zone()));
        if (!cron.dst().equals(DstRule.DEFAULT)) {
          node.putObject("dst")
              .put("gap", WireName.of(cron.dst().gap()))
              .put("repeat", WireName.of(cron.dst().repeat()));
        }
        if (cron.dialect() != Dialect.BELFRY) {
          node.put("dialect", WireName.of(cron.dialect()));
        }
        window(node, cron.window());
      }
      case Trigger.Every every -> {
        node.put("every", Durations.show(every.interval())).put("from", WireName.of(every.from()));
        window(node, every.window());
      }
      case Trigger.At(var instant) -> node.put("at", instant.toString());
      case Trigger.After(JobId job, var on) ->
        node.put("after", job.value()).put("on", WireName.of(on));
    }
    return node;
  }

  private static void window(ObjectNode node, Window window) {
    window.start().ifPresent(at -> node.put("start", at.toString()));
    window.end().ifPresent(at -> node.put("end", at.toString()));
    window.calendar().ifPresent(name -> node.put("calendar", name));
    if (!window.jitter().isZero()) {
      node.put("jitter", Durations.show(window.jitter()));
    }
  }
}
