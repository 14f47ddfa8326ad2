package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ANY;
import static io.belfry.server.rest.Permission.GLOBAL_ADMIN;
import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.library.Belfry;
import io.belfry.library.Remaining;
import io.belfry.model.WireName;
import io.belfry.server.access.NamespaceRecord;
import io.belfry.server.access.NamespaceRegistry;
import io.belfry.server.access.Principal;
import io.belfry.server.form.Fields;
import io.belfry.server.node.Namespaces;
import io.belfry.server.rest.Problem.Code;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Namespaces over REST. Threading: stateless. */
final class NamespaceRoutes {
  private final Spot spot;
  private final NamespaceRegistry book;
  private final Runnable ended;

  /**
   * The routes.
   *
   * @param ended called after a deletion
   */
  NamespaceRoutes(Spot spot, NamespaceRegistry book, Runnable ended) {
    this.spot = spot;
    this.book = book;
    this.ended = ended;
  }

  List<Route> all() {
    return List.of(
        Route.get("listNamespaces", Spot.ROOT, ANY, this::list).costs(Cost.LIST),
        Route.post("createNamespace", Spot.ROOT, GLOBAL_ADMIN, this::create),
        Route.get("getNamespace", Spot.NS, VIEWER, this::get),
        Route.delete("deleteNamespace", Spot.NS, GLOBAL_ADMIN, this::delete));
  }

  private Answer list(Call call) {
    call.knows("cursor");
    return Listed.page(
        call,
        book.list().stream().filter(call.principal()::maySee).toList(),
        NamespaceRecord::name,
        record -> json(record, call.principal()));
  }

  private static ObjectNode json(NamespaceRecord record, Principal principal) {
    return Spot.node()
        .put("name", record.name())
        .put("description", record.description())
        .put("created", record.created().toString())
        .put("store", record.storeName())
        .put("role", WireName.of(principal.role()));
  }

  private Answer create(Call call) {
    Fields fields = Fields.of(call.body());
    String name =
        fields.text("name").orElseThrow(() -> fields.missing("name", "it is known by it"));
    Optional<String> description = fields.text("description");
    fields.end();
    Namespaces.checked(name);
    call.concerns("namespace " + name);
    NamespaceRecord record = book.create(name, description.orElse(""))
        .orElseThrow(() ->
            Problem.at("name", Code.CONFLICT, "There is a namespace \"" + name + "\" already."));
    spot.namespaces().ensure(record);
    return Answer.created(json(record, call.principal()));
  }

  private Answer get(Call call) {
    Belfry belfry = spot.of(call);
    return Answer.ok(json(spot.record(call), call.principal()).put("paused", belfry.isPaused()));
  }

  /**
   * Only what is empty: nothing that somebody relies on vanishes by one request. Once its Belfry has ended, no node accepts anything for it; who
   * is interrupted then asks again.
   */
  private Answer delete(Call call) {
    NamespaceRecord record = spot.record(call);
    Belfry belfry = spot.of(call);
    book.requireDeletable(record);
    String left = words(belfry.endIfEmpty());
    if (!left.isEmpty()) {
      throw Problem.of(
          Code.CONFLICT,
          "Namespace \"" + record.name() + "\" still has " + left
              + ". Delete or finish them first.");
    }
    if (!book.delete(record)) {
      throw book.find(record.name()).isEmpty()
          ? Problem.notFound("namespace", record.name())
          : Problem.of(
              Code.CONFLICT,
              "Namespace \"" + record.name()
                  + "\" was deleted and created again, which this node did not know yet. Ask again if the new one is meant.");
    }
    ended.run();
    return Answer.nothing(204);
  }

  /** What is left, for people; empty if nothing is. */
  private static String words(Remaining left) {
    return switch (left) {
      case NOTHING -> "";
      case JOBS -> "jobs";
      case REQUESTS -> "retries or triggers that no leader has come to";
      case TASKS -> "unfinished tasks";
    };
  }
}
