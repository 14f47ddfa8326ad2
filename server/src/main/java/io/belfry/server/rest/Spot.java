package io.belfry.server.rest;

import io.belfry.library.Belfry;
import io.belfry.server.node.Namespaces;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The namespace of an address. Threading: stateless. */
final class Spot {
  static final String ROOT = "/api/v1/namespaces";
  static final String NS = ROOT + "/{ns}";

  private final Namespaces namespaces;

  Spot(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  Namespaces namespaces() {
    return namespaces;
  }

  /** The Belfry that the address names. The gate has seen to it that the caller may be there. */
  Belfry of(Call call) {
    String name = call.path("ns");
    return namespaces.find(name).orElseThrow(() -> Problem.notFound("namespace", name));
  }

  static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
