package io.belfry.client;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is to be done, and when: the jobs of a namespace, as JSON of the form that docs/rest.md describes. Threading: safe. */
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

  /** All that fit, page by page as they are read. */
  public Stream<JsonNode> all(JobQuery query) {
    return Pages.from(query.cursor(), cursor -> list(cursor.map(query::cursor).orElse(query)));
  }

  public JsonNode get(String id) {
    return transport.send(Call.get(job(id))).json();
  }

  /** Saves the job, whatever was there before. */
  public JsonNode put(String id, JsonNode job) {
    return transport.send(Call.put(job(id), job)).json();
  }

  /** Saves the job if it is still of that generation; otherwise 412. Sent once: a repetition would be refused as stale. */
  public JsonNode put(String id, JsonNode job, long generation) {
    Call call = Call.put(job(id), job).header("If-Match", tag(generation)).idempotent(false);
    return transport.send(call).json();
  }

  /** Saves the job if there is none of that id; otherwise 412. Sent once. */
  public JsonNode putNew(String id, JsonNode job) {
    Call call = Call.put(job(id), job).header("If-None-Match", "*").idempotent(false);
    return transport.send(call).json();
  }

  public void delete(String id) {
    transport.send(Call.delete(job(id)));
  }

  /** Deletes the job if it is still of that generation; otherwise 412. */
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
   * Makes a task of the job now, or its one task for an instant. With an instant it may be asked for as often as one likes.
   *
   * @param payload instead of the job's own
   * @param worker id of the worker that shall run it
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

  /** Why the job did, did not or will not fire at an instant; by default its next one. */
  public JsonNode explain(String id, Optional<Instant> at) {
    return transport.send(Call.get(job(id) + "/explain").with("at", at)).json();
  }

  /** The last definitions, the newest first, as {@code items}. */
  public JsonNode versions(String id) {
    return transport.send(Call.get(job(id) + "/versions")).json();
  }

  /** Saves an earlier definition again, as a new generation. */
  public JsonNode restore(String id, long generation) {
    return transport
        .send(Call.post(job(id) + "/versions/" + generation + "/restore"))
        .json();
  }

  /** When the job would fire; nothing is saved. */
  public JsonNode preview(JsonNode job, int count) {
    Call call = Call.post(root + "/preview").with("count", count).body(job).idempotent(true);
    return transport.send(call).json();
  }

  /** Saves many; each has its own outcome in {@code results}. What is there already in just that way is left alone. */
  public JsonNode apply(Collection<? extends JsonNode> jobs, boolean dryRun) {
    ObjectNode body = Json.object().put("action", "apply");
    body.putArray("jobs").addAll(List.copyOf(jobs));
    if (dryRun) {
      body.put("dryRun", true);
    }
    return transport.send(Call.post(root).body(body).idempotent(true)).json();
  }

  /** One action on many. */
  public JsonNode change(BulkAction action, Collection<String> ids) {
    ObjectNode body = Json.object().put("action", action.word());
    ids.forEach(body.putArray("ids")::add);
    return transport
        .send(Call.post(root).body(body).idempotent(action.idempotent()))
        .json();
  }

  /** What can be done to many jobs at once. */
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
