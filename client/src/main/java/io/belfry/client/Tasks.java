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

/** Manages the tasks of a namespace, as JSON documents. Threading: safe. */
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

  /** All matching tasks; pages are fetched as they are read. */
  public Stream<JsonNode> all(TaskQuery query) {
    return Pages.from(query.cursor(), cursor -> list(cursor.map(query::cursor).orElse(query)));
  }

  public JsonNode get(String id) {
    return transport.send(Call.get(task(id))).json();
  }

  /**
   * Submits a task; it is durable when this returns. A task with an {@code id} or {@code key} is sent again after a lost connection, which
   * creates no second task. A task without one is sent once.
   */
  public TaskRef submit(JsonNode task) {
    return TaskRef.of(transport.send(Call.post(root).body(task).idempotent(isIdempotent(task))));
  }

  private static boolean isIdempotent(JsonNode task) {
    return task.hasNonNull("id") || task.hasNonNull("key");
  }

  /** Submits up to 1,000 tasks; {@code results} holds an outcome per task. */
  public JsonNode submitAll(Collection<? extends JsonNode> tasks) {
    JsonNode body = JsonNodeFactory.instance.arrayNode().addAll(List.copyOf(tasks));
    boolean idempotent = tasks.stream().allMatch(Tasks::isIdempotent);
    return transport.send(Call.post(root).body(body).idempotent(idempotent)).json();
  }

  /** Requests the cancellation of a task. The request is durable when this returns; the task ends a moment later. */
  public TaskRef cancel(String id, Optional<String> reason) {
    Call call = Call.post(task(id) + "/cancel");
    return TaskRef.of(transport.send(
        reason.<Call>map(text -> call.body(Json.object().put("reason", text))).orElse(call)));
  }

  /** Retries a failed or cancelled task as a new task. */
  public TaskRef retry(String id) {
    return TaskRef.of(transport.send(Call.post(task(id) + "/retry")));
  }

  /** Sets the priority of a waiting task: {@code low}, {@code normal}, {@code high} or {@code urgent}. */
  public TaskRef prioritise(String id, String priority) {
    ObjectNode body = Json.object().put("priority", priority);
    return TaskRef.of(transport.send(Call.patch(task(id), body)));
  }

  /** The log so far, by attempt. */
  public JsonNode logs(String id) {
    return transport.send(Call.get(task(id) + "/logs")).json();
  }

  /**
   * Streams the log until the task has ended: events {@code log} and {@code anew} with {@code attempt} and {@code text}. An {@code anew} event
   * replaces all text of its attempt that was sent before.
   *
   * @param broken called when the connection was lost, before the stream reconnects
   */
  public EventStream follow(String id, Consumer<BelfryException> broken) {
    Call call = Call.get(task(id) + "/logs").with("follow", true);
    return new EventStream(transport, call, Optional.empty(), Optional.of("end"), broken);
  }

  /** Number of finished tasks by outcome, per {@code hour} or {@code day}. */
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
   * Reports the outcome of an attempt whose target answered with 202.
   *
   * @param callback the one-time token in the callback URL of the attempt
   * @param report {@code status} (succeeded or failed), and optionally {@code code}, {@code message}, {@code data}
   */
  public void complete(String callback, JsonNode report) {
    transport.send(Call.post(BelfryClient.API + "/callbacks/" + Call.part(callback))
        .body(report)
        .withoutToken());
  }
}
