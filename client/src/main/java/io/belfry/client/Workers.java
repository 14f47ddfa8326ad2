package io.belfry.client;

import tools.jackson.databind.JsonNode;

/** Manages workers and queues. Threading: safe. */
public final class Workers {
  private final Transport transport;
  private final String namespace;

  Workers(Transport transport, String namespace) {
    this.transport = transport;
    this.namespace = namespace;
  }

  private String worker(String id) {
    return namespace + "/workers/" + Call.part(id);
  }

  /** Live workers, as {@code items}. */
  public JsonNode list() {
    return Pages.whole(transport, Call.get(namespace + "/workers"));
  }

  /** Drains the worker: it gets no new tasks, and its running tasks continue. */
  public void drain(String id) {
    transport.send(Call.post(worker(id) + "/drain").idempotent(true));
  }

  /** Ends draining. */
  public void undrain(String id) {
    transport.send(
        Call.post(worker(id) + "/drain").body(Json.object().put("undo", true)).idempotent(true));
  }

  /** Sets how many attempts the worker runs at the same time. */
  public void capacity(String id, int capacity) {
    transport.send(Call.put(worker(id) + "/capacity", Json.object().put("capacity", capacity)));
  }

  /** Sets the mode of a queue: {@code push} or {@code pull}. */
  public void queue(String name, String mode) {
    transport.send(
        Call.put(namespace + "/queues/" + Call.part(name), Json.object().put("mode", mode)));
  }
}
