package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ANY;
import static io.belfry.server.rest.Permission.GLOBAL_ADMIN;
import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.core.retain.Query;
import io.belfry.library.Belfry;
import io.belfry.model.Word;
import io.belfry.model.task.StateName;
import io.belfry.server.access.NamespaceBook;
import io.belfry.server.access.NamespaceRecord;
import io.belfry.server.access.Principal;
import io.belfry.server.form.Fields;
import io.belfry.server.node.Namespaces;
import io.belfry.server.rest.Problem.Code;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Namespaces over REST. Threading: stateless. */
final class NamespaceRoutes {
  private static final List<StateName> UNFINISHED =
      List.of(StateName.PENDING, StateName.ASSIGNED, StateName.RUNNING, StateName.RETRYING);

  private final Spot spot;
  private final NamespaceBook book;

  NamespaceRoutes(Spot spot, NamespaceBook book) {
    this.spot = spot;
    this.book = book;
  }

  List<Route> all() {
    return List.of(
        Route.get("listNamespaces", Spot.ROOT, ANY, this::list),
        Route.post("createNamespace", Spot.ROOT, GLOBAL_ADMIN, this::create),
        Route.get("getNamespace", Spot.NS, VIEWER, this::get),
        Route.delete("deleteNamespace", Spot.NS, GLOBAL_ADMIN, this::delete));
  }

  private Answer list(Call call) {
    call.knows();
    ObjectNode answer = Spot.node();
    ArrayNode items = answer.putArray("items");
    book.list().stream()
        .filter(record -> call.principal().maySee(record.name()))
        .forEach(record -> items.add(json(record, call.principal())));
    return Answer.ok(answer);
  }

  private static ObjectNode json(NamespaceRecord record, Principal principal) {
    return Spot.node()
        .put("name", record.name())
        .put("description", record.description())
        .put("created", record.created().toString())
        .put("role", Word.of(principal.role()));
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
    spot.namespaces().ensure(name);
    return Answer.created(json(record, call.principal()));
  }

  private Answer get(Call call) {
    String name = call.path("ns");
    Belfry belfry = spot.of(call);
    return book.find(name)
        .map(record -> Answer.ok(json(record, call.principal()).put("paused", belfry.isPaused())))
        .orElseThrow(() -> Problem.notFound("namespace", name));
  }

  /** Only what is empty: nothing that somebody relies on vanishes by one request. */
  private Answer delete(Call call) {
    String name = call.path("ns");
    Belfry belfry = spot.of(call);
    boolean hasJobs = !belfry.jobs().list("", 1).isEmpty();
    boolean hasTasks = UNFINISHED.stream()
        .anyMatch(state -> !belfry
            .tasks(Query.ALL.withState(state), Optional.empty(), 1)
            .tasks()
            .isEmpty());
    if (hasJobs || hasTasks) {
      throw Problem.of(
          Code.CONFLICT,
          "Namespace \"" + name + "\" still has " + (hasJobs ? "jobs" : "unfinished tasks")
              + ". Delete or finish them first.");
    }
    if (!book.delete(name)) {
      throw Problem.notFound("namespace", name);
    }
    return Answer.nothing(204);
  }
}
