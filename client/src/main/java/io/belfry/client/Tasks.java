package io.belfry.client;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What is done once: the tasks of a namespace, as JSON. Threading: safe. */
public final class Tasks {
  private final Transport transport;
  private final String namespace;
  private final String root;

  Tasks(Transport transport, String namespace) {
    this.transport = transport;
    this.namespace = namespace;
    this.root = namespace + "/tasks";
  }

  private String task(String id) {
    return root + "/" + Call.part(id);
  }

  public Page list(TaskQuery query) {
    return new Page(transport.send(query.on(Call.get(root))).json());
  }

  /** All that fit, page by page as they are read. */
  public Stream<JsonNode> all(TaskQuery query) {
    return Pages.from(query.cursor(), cursor -> list(cursor.map(query::cursor).orElse(query)));
  }

  public JsonNode get(String id) {
    return transport.send(Call.get(task(id))).json();
  }

  /**
   * Submits a task; it is durable when this returns. With an {@code id} or a {@code key} of its own it is sent again after a
   * broken connection, because the same twice is the same task; without one it is sent once.
   */
  public TaskRef submit(JsonNode task) {
    return TaskRef.of(transport.send(Call.post(root).body(task).idempotent(isNamed(task))));
  }

  private static boolean isNamed(JsonNode task) {
    return task.hasNonNull("id") || task.hasNonNull("key");
  }

  /** Submits up to 1,000; each has its own outcome in {@code results}. */
  public JsonNode submitAll(Collection<? extends JsonNode> tasks) {
    JsonNode body = JsonNodeFactory.instance.arrayNode().addAll(List.copyOf(tasks));
    boolean named = tasks.stream().allMatch(Tasks::isNamed);
    return transport.send(Call.post(root).body(body).idempotent(named)).json();
  }

  /** Asks for the end of a task. The request is durable when this returns; the end comes a moment later. */
  public TaskRef cancel(String id, Optional<String> reason) {
    Call call = Call.post(task(id) + "/cancel");
    return TaskRef.of(transport.send(
        reason.<Call>map(text -> call.body(Json.object().put("reason", text))).orElse(call)));
  }

  /** Does again what has failed or was cancelled, as a new task. */
  public TaskRef retry(String id) {
    return TaskRef.of(transport.send(Call.post(task(id) + "/retry")));
  }

  /** {@code low}, {@code normal}, {@code high} or {@code urgent}, while it waits. */
  public TaskRef prioritise(String id, String priority) {
    ObjectNode body = Json.object().put("priority", priority);
    return TaskRef.of(transport.send(Call.patch(task(id), body)));
  }

  /** What the task has logged so far, by attempt. */
  public JsonNode logs(String id) {
    return transport.send(Call.get(task(id) + "/logs")).json();
  }

  /**
   * The log as it grows, until the task has ended: events {@code log} and {@code anew} (which takes the place of all that was
   * sent of the attempt before) with {@code attempt} and {@code text}; the stream ends with the task.
   *
   * @param broken is told when the connection broke, before it is made anew
   */
  public EventStream follow(String id, Consumer<BelfryException> broken) {
    Call call = Call.get(task(id) + "/logs").with("follow", true);
    return new EventStream(transport, call, Optional.empty(), Optional.of("end"), broken);
  }

  /** How many tasks ended how, by {@code hour} or {@code day}. */
  public JsonNode stats(
      Optional<String> job, Optional<Instant> since, Optional<Instant> until, Optional<String> by) {
    Call call = Call.get(namespace + "/stats")
        .with("job", job)
        .with("since", since)
        .with("until", until)
        .with("by", by);
    return transport.send(call).json();
  }

  /**
   * Reports the end of an attempt that was answered with 202.
   *
   * @param callback the token in the address that the attempt was given; good once
   * @param report {@code status} (succeeded or failed), and if need be {@code code}, {@code message}, {@code data}
   */
  public void complete(String callback, JsonNode report) {
    transport.send(Call.post(BelfryClient.API + "/callbacks/" + Call.part(callback))
        .body(report)
        .withoutToken());
  }
}
