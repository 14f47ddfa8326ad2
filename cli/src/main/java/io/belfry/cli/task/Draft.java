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

/** A task by options. Threading: confined to its verb. */
final class Draft {
  @Option(
      names = "--job",
      paramLabel = "ID",
      description =
          "Runs this job once, as its newest definition says. With --payload, --key, --in, --at and --priority only.")
  private @Nullable String job;

  @Option(
      names = "--handler",
      paramLabel = "NAME",
      description = "Runs this Java handler (executor local).")
  private @Nullable String handler;

  @Option(names = "--http", paramLabel = "URL", description = "Calls this address (executor http).")
  private @Nullable String http;

  @Option(names = "--method", paramLabel = "METHOD", description = "For --http. Default: POST.")
  private @Nullable String method;

  @Option(names = "--executor", paramLabel = "JSON", description = "Any executor: " + Payload.HELP)
  private @Nullable String executor;

  @Option(names = "--payload", paramLabel = "JSON", description = Payload.HELP)
  private @Nullable String payload;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "Your own: the same id with the same content is the same task.")
  private @Nullable String id;

  @Option(names = "--key", paramLabel = "KEY", description = "Idempotency key. Default: a new one.")
  private @Nullable String key;

  @Option(names = "--name", paramLabel = "NAME", description = "For people.")
  private @Nullable String name;

  @Option(names = "--in", paramLabel = "DURATION", description = "Not before this has passed.")
  private @Nullable String in;

  @Option(names = "--at", paramLabel = "TIME", description = "Not before this time.")
  private @Nullable String at;

  @Option(
      names = "--priority",
      paramLabel = "PRIORITY",
      description = "low, normal (default), high or urgent.")
  private TaskPriority.@Nullable Priority priority;

  @Option(names = "--timeout", paramLabel = "DURATION", description = "Of one attempt.")
  private @Nullable String timeout;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "How often it is tried again at most.")
  private @Nullable Integer retries;

  @Option(names = "--at-most-once", description = "Never tried again after its worker was lost.")
  private boolean atMostOnce;

  @Option(names = "--queue", paramLabel = "QUEUE", description = "Named queue.")
  private @Nullable String queue;

  @Option(
      names = "--worker-label",
      paramLabel = "KEY=VALUE",
      description = "That its worker must have. May be repeated.")
  private Map<String, String> workers = new LinkedHashMap<>();

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "For its metadata. May be repeated.")
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
    put(task, "priority", priority == null ? null : Words.of(priority));
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
