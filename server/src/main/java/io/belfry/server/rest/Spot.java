package io.belfry.server.rest;

import io.belfry.library.Belfry;
import io.belfry.server.access.NamespaceRecord;
import io.belfry.server.access.NamespaceRegistry;
import io.belfry.server.node.Namespaces;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The namespace of an address: always the one for which the gate has let the request in. A later one of its name is another namespace, in
 * which the caller may have no rights.
 *
 * <p>Threading: stateless.
 */
final class Spot {
  static final String ROOT = "/api/v1/namespaces";
  static final String NS = ROOT + "/{ns}";

  private final Namespaces namespaces;
  private final NamespaceRegistry book;

  Spot(Namespaces namespaces, NamespaceRegistry book) {
    this.namespaces = namespaces;
    this.book = book;
  }

  Namespaces namespaces() {
    return namespaces;
  }

  /** The namespace that the address names. */
  NamespaceRecord record(Call call) {
    return call.scope().flatMap(book::currentOf).orElseThrow(() -> missing(call));
  }

  private static Problem missing(Call call) {
    return Problem.notFound("namespace", call.path("ns"));
  }

  /** The Belfry that the address names. The gate has seen to it that the caller may be there. */
  Belfry of(Call call) {
    return namespaces.find(record(call)).orElseThrow(() -> missing(call));
  }

  /** Under what the server's own records of the namespace are kept that the address names. */
  String scope(Call call) {
    return record(call).scope();
  }

  /** Whether what belongs to the namespace that has this name now is for the caller; where nobody need say who they are, all is. */
  boolean maySee(Call call, String name) {
    return call.whoever()
        .map(who -> who.isGlobal() || book.current(name).filter(who::maySee).isPresent())
        .orElse(true);
  }

  static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
