package io.belfry.server.form;

import io.belfry.executors.json.Json;
import io.belfry.model.Check;
import io.belfry.model.Durations;
import io.belfry.model.WireName;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Rate;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converts the common part of jobs and submissions to JSON and back. Threading: stateless. */
final class WorkForm {
  /** Keeps all digits of numbers in payloads. */
  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  private static final String TYPE = "type";

  private WorkForm() {}

  static ExecutorSpec executor(Fields fields) {
    JsonNode node = fields
        .any("executor")
        .orElseThrow(() -> fields.missing("executor", "it defines how the task is run"));
    Fields inner = Fields.at(fields.name("executor"), node);
    String type =
        inner.text(TYPE).orElseThrow(() -> inner.missing(TYPE, "it selects the executor"));
    var settings = new LinkedHashMap<String, Object>();
    for (Map.Entry<String, JsonNode> each : node.properties()) {
      if (!each.getKey().equals(TYPE) && !each.getValue().isNull()) {
        settings.put(each.getKey(), JSON.treeToValue(each.getValue(), Object.class));
      }
    }
    return new ExecutorSpec(type, settings);
  }

  static JsonNode executor(ExecutorSpec spec) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put(TYPE, spec.type());
    spec.settings().forEach((key, value) -> node.set(key, JSON.valueToTree(value)));
    return node;
  }

  static Payload payload(JsonNode node) {
    return Payload.of(Payload.JSON, JSON.writeValueAsBytes(node));
  }

  /** A payload as JSON: JSON unchanged, text as a string, other bytes in base64; empty if there is none. */
  static Optional<JsonNode> payload(Payload payload) {
    if (payload.isEmpty()) {
      return Optional.empty();
    }
    if (payload.contentType().equals(Payload.JSON)) {
      if (payload.size() >= CopiedJson.WORTH_BYTES && CopiedJson.isGood(payload)) {
        return Optional.of(JsonNodeFactory.instance.pojoNode(new CopiedJson(payload)));
      }
      // The library may submit JSON that this parser does not accept; it is shown as text.
      return Json.parse(payload.bytes())
          .or(() -> Optional.of(JsonNodeFactory.instance.stringNode(payload.text())));
    }
    boolean text = payload.contentType().startsWith("text/");
    return Optional.of(JsonNodeFactory.instance.stringNode(
        text
            ? new String(payload.bytes(), StandardCharsets.UTF_8)
            : Base64.getEncoder().encodeToString(payload.bytes())));
  }

  static Optional<RetryPolicy> retry(Fields fields, RetryPolicy usual) {
    return fields.object("retry", inner -> {
      RetryPolicy policy = usual;
      Optional<Integer> max = inner.whole("max");
      if (max.isPresent()) {
        policy = policy.withMax(max.get());
      }
      var delay = inner.duration("delay");
      if (delay.isPresent()) {
        policy = policy.withDelay(delay.get());
      }
      return new RetryPolicy(
          policy.max(),
          policy.delay(),
          inner.number("backoff").orElse(policy.backoff()),
          inner.duration("cap").orElse(policy.cap()),
          inner.flag("jitter").orElse(policy.jitter()),
          inner.words("on", FailureKind.class).orElse(policy.on()));
    });
  }

  static JsonNode retry(RetryPolicy policy) {
    ObjectNode node = JsonNodeFactory.instance
        .objectNode()
        .put("max", policy.max())
        .put("delay", Durations.show(policy.delay()))
        .put("backoff", policy.backoff())
        .put("cap", Durations.show(policy.cap()))
        .put("jitter", policy.jitter());
    var on = node.putArray("on");
    policy.on().forEach(kind -> on.add(WireName.of(kind)));
    return node;
  }

  static Optional<Limit> limit(Fields fields) {
    return fields.object(
        "limit",
        inner -> new Limit(
            inner.whole("concurrency"), inner.text("rate").map(Rate::parse), inner.text("key")));
  }

  static Optional<JsonNode> limit(Limit limit) {
    if (limit.equals(Limit.NONE)) {
      return Optional.empty();
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    limit.concurrency().ifPresent(tasks -> node.put("concurrency", tasks));
    limit.rate().ifPresent(rate -> node.put("rate", rate.toString()));
    limit.key().ifPresent(key -> node.put("key", key));
    return Optional.of(node);
  }

  static Optional<JsonNode> labels(Map<String, String> labels) {
    if (labels.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    labels.forEach(node::put);
    return Optional.of(node);
  }

  /** Reads metadata; keys of Belfry itself are refused. */
  static Map<String, String> metadata(Fields fields) {
    Map<String, String> given = fields.labels("metadata").orElse(Map.of());
    given.keySet().stream().filter(key -> key.startsWith("belfry.")).findFirst().ifPresent(key -> {
      throw Check.refusal(
          fields.name("metadata"),
          key,
          "must not have keys that begin with \"belfry.\", because those are reserved",
          "Choose another name.");
    });
    return given;
  }
}
