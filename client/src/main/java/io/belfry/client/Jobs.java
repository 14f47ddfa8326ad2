package io.belfry.client;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Manages the jobs of a namespace, as JSON documents described in docs/rest.md. Threading: safe. */
public final class Jobs {
  private final Transport transport;
  private final String root;

  Jobs(Transport transport, String namespace) {
    this.transport = transport;
    this.root = namespace + "/jobs";
  }

  private String job(String id) {
    return root + "/" + Call.part(id);
  }

  public Page list(JobQuery query) {
    return new Page(transport.send(query.on(Call.get(root))).json());
  }

  /** All matching jobs; pages are fetched as they are read. */
  public Stream<JsonNode> all(JobQuery query) {
    return Pages.from(query.cursor(), cursor -> list(cursor.map(query::cursor).orElse(query)));
  }

  public JsonNode get(String id) {
    return transport.send(Call.get(job(id))).json();
  }

  /** Creates or replaces the job. */
  public JsonNode put(String id, JsonNode job) {
    return transport.send(Call.put(job(id), job)).json();
  }

  /** Replaces the job if it still has that generation; otherwise 412. Sent once: a retry would be refused as stale. */
  public JsonNode put(String id, JsonNode job, long generation) {
    Call call = Call.put(job(id), job).header("If-Match", tag(generation)).idempotent(false);
    return transport.send(call).json();
  }

  /** Creates the job if the id is free; otherwise 412. Sent once. */
  public JsonNode putNew(String id, JsonNode job) {
    Call call = Call.put(job(id), job).header("If-None-Match", "*").idempotent(false);
    return transport.send(call).json();
  }

  public void delete(String id) {
    transport.send(Call.delete(job(id)));
  }

  /** Deletes the job if it still has that generation; otherwise 412. */
  public void delete(String id, long generation) {
    transport.send(Call.delete(job(id)).header("If-Match", tag(generation)));
  }

  private static String tag(long generation) {
    return "\"" + generation + "\"";
  }

  public JsonNode enable(String id) {
    return transport.send(Call.post(job(id) + "/enable").idempotent(true)).json();
  }

  public JsonNode disable(String id) {
    return transport.send(Call.post(job(id) + "/disable").idempotent(true)).json();
  }

  /**
   * Triggers the job now or for a fire time. With a fire time the call is idempotent: it creates at most one task.
   *
   * @param payload replaces the payload of the job
   * @param worker id of the worker that runs the task
   */
  public TaskRef trigger(
      String id, Optional<Instant> at, Optional<JsonNode> payload, Optional<String> worker) {
    ObjectNode body = Json.object();
    at.ifPresent(instant -> body.put("at", instant.toString()));
    payload.ifPresent(node -> body.set("payload", node));
    worker.ifPresent(name -> body.put("worker", name));
    Call call = Call.post(job(id) + "/trigger").idempotent(at.isPresent());
    return TaskRef.of(transport.send(body.isEmpty() ? call : call.body(body)));
  }

  /** Why the job did, did not or will not fire at a time; by default its next fire time. */
  public JsonNode explain(String id, Optional<Instant> at) {
    return transport.send(Call.get(job(id) + "/explain").with("at", at)).json();
  }

  /** The latest versions, the newest first, as {@code items}. */
  public JsonNode versions(String id) {
    return Pages.whole(transport, Call.get(job(id) + "/versions"));
  }

  /** Restores an earlier version as a new generation. */
  public JsonNode restore(String id, long generation) {
    return transport
        .send(Call.post(job(id) + "/versions/" + generation + "/restore"))
        .json();
  }

  /** The next fire times of a job that is not saved. */
  public JsonNode preview(JsonNode job, int count) {
    Call call = Call.post(root + "/preview").with("count", count).body(job).idempotent(true);
    return transport.send(call).json();
  }

  /** Creates or updates many jobs; {@code results} holds an outcome per job. Identical jobs stay unchanged. */
  public JsonNode apply(Collection<? extends JsonNode> jobs, boolean dryRun) {
    ObjectNode body = Json.object().put("action", "apply");
    body.putArray("jobs").addAll(List.copyOf(jobs));
    if (dryRun) {
      body.put("dryRun", true);
    }
    return transport.send(Call.post(root).body(body).idempotent(true)).json();
  }

  /** Runs one action on many jobs. */
  public JsonNode change(BulkAction action, Collection<String> ids) {
    ObjectNode body = Json.object().put("action", action.word());
    ids.forEach(body.putArray("ids")::add);
    return transport
        .send(Call.post(root).body(body).idempotent(action.idempotent()))
        .json();
  }

  /** Actions on many jobs at once. */
  public enum BulkAction {
    ENABLE(true),
    DISABLE(true),
    TRIGGER(false),
    DELETE(false);

    private final boolean idempotent;

    BulkAction(boolean idempotent) {
      this.idempotent = idempotent;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean idempotent() {
      return idempotent;
    }
  }
}
