package io.belfry.cli.task;

import io.belfry.cli.verb.Payload;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Options that describe one task. Threading: confined to its verb. */
final class TaskOptions {
  @Option(
      names = "--job",
      paramLabel = "ID",
      description =
          "Run this job once with its current definition. Can be combined only with --payload, --key, --in, --at and --priority.")
  private @Nullable String job;

  @Option(
      names = "--handler",
      paramLabel = "NAME",
      description = "Run this Java handler on a worker (executor local).")
  private @Nullable String handler;

  @Option(names = "--http", paramLabel = "URL", description = "Call this URL (executor http).")
  private @Nullable String http;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      description = "HTTP method for --http. Default: POST.")
  private @Nullable String method;

  @Option(
      names = "--executor",
      paramLabel = "JSON",
      description = "Executor definition of any type: " + Payload.HELP)
  private @Nullable String executor;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "Payload for the executor: " + Payload.HELP)
  private @Nullable String payload;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Task id. Submitting the same id with the same content again creates no second task. Default: a generated id.")
  private @Nullable String id;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "Idempotency key. Submitting the same key again creates no second task. Default: a generated key.")
  private @Nullable String key;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Display name. Default: the handler or the executor type.")
  private @Nullable String name;

  @Option(
      names = "--in",
      paramLabel = "DURATION",
      description = "Start the task no earlier than after this delay, such as 5m. Default: now.")
  private @Nullable String in;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "Start the task no earlier than at this time. Default: now.")
  private @Nullable String at;

  @Option(
      names = "--priority",
      paramLabel = "PRIORITY",
      description = "Priority in the queue: low, normal, high or urgent. Default: normal.")
  private TaskPriority.@Nullable Priority priority;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Maximum duration of one attempt, such as 10m. Default: 5m.")
  private @Nullable String timeout;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "Maximum number of retries after a failed attempt. Default: 3.")
  private @Nullable Integer retries;

  @Option(
      names = "--at-most-once",
      description =
          "Never retry the task after its worker was lost (at-most-once). Default: at-least-once.")
  private boolean atMostOnce;

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "Queue of the task. Default: default.")
  private @Nullable String queue;

  @Option(
      names = "--worker-label",
      paramLabel = "KEY=VALUE",
      description = "Label that the worker must have. Can be repeated.")
  private Map<String, String> workers = new LinkedHashMap<>();

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "Label to store in the metadata of the task. Can be repeated.")
  private Map<String, String> labels = new LinkedHashMap<>();

  boolean isEmpty() {
    return job == null && handler == null && http == null && executor == null;
  }

  JsonNode task(Verb verb) throws IOException {
    ObjectNode task = TaskSubmit.object();
    put(task, "job", job);
    put(task, "id", id);
    put(task, "name", name);
    if (handler != null || http != null || executor != null) {
      task.set("executor", executor(verb));
    }
    Payload.read(verb, "--payload", payload).ifPresent(node -> task.set("payload", node));
    put(task, "in", in);
    TimeOption.instant(verb, "--at", at).ifPresent(time -> task.put("at", time.toString()));
    put(task, "priority", priority == null ? null : ApiName.of(priority));
    put(task, "timeout", timeout);
    if (retries != null) {
      task.putObject("retry").put("max", retries);
    }
    if (atMostOnce) {
      task.put("atMostOnce", true);
    }
    put(task, "queue", queue);
    labels(task, "workers", workers);
    labels(task, "metadata", labels);
    put(task, "key", key);
    return task;
  }

  private JsonNode executor(Verb verb) throws IOException {
    if (handler != null) {
      return TaskSubmit.object().put("type", "local").put("handler", handler);
    }
    if (http != null) {
      return TaskSubmit.object()
          .put("type", "http")
          .put("method", method == null ? "POST" : method)
          .put("url", http);
    }
    return Payload.read(verb, "--executor", executor).orElseThrow();
  }

  private static void put(ObjectNode task, String field, @Nullable String value) {
    if (value != null) {
      task.put(field, value);
    }
  }

  private static void labels(ObjectNode task, String field, Map<String, String> labels) {
    if (!labels.isEmpty()) {
      labels.forEach(task.putObject(field)::put);
    }
  }
}
