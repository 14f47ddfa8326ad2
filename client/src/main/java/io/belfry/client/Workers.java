package io.belfry.client;

import tools.jackson.databind.JsonNode;

/** Who works, and how much. Threading: safe. */
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

  /** Those that are there, as {@code items}. */
  public JsonNode list() {
    return transport.send(Call.get(namespace + "/workers")).json();
  }

  /** Gives the worker nothing new; what it has goes on. */
  public void drain(String id) {
    transport.send(Call.post(worker(id) + "/drain").idempotent(true));
  }

  /** Lets a drained worker go on. */
  public void undrain(String id) {
    transport.send(
        Call.post(worker(id) + "/drain").body(Json.object().put("undo", true)).idempotent(true));
  }

  /** How many attempts the worker holds at most. */
  public void capacity(String id, int capacity) {
    transport.send(Call.put(worker(id) + "/capacity", Json.object().put("capacity", capacity)));
  }

  /** How a queue is served: {@code push} or {@code pull}. */
  public void queue(String name, String mode) {
    transport.send(
        Call.put(namespace + "/queues/" + Call.part(name), Json.object().put("mode", mode)));
  }
}
