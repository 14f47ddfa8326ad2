package io.belfry.client;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Manages namespaces. Threading: safe. */
public final class Namespaces {
  private static final String ROOT = BelfryClient.API + "/namespaces";

  private final Transport transport;

  Namespaces(Transport transport) {
    this.transport = transport;
  }

  static String path(String name) {
    return ROOT + "/" + Call.part(name);
  }

  /** The namespaces that the caller can access, as {@code items}. */
  public JsonNode list() {
    return Pages.whole(transport, Call.get(ROOT));
  }

  public JsonNode get(String name) {
    return transport.send(Call.get(path(name))).json();
  }

  public JsonNode create(String name, Optional<String> description) {
    ObjectNode body = Json.object().put("name", name);
    description.ifPresent(text -> body.put("description", text));
    return transport.send(Call.post(ROOT).body(body)).json();
  }

  /** Deletes a namespace; it must have no jobs and no unfinished tasks. */
  public void delete(String name) {
    transport.send(Call.delete(path(name)));
  }
}
