package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ADMIN;

import io.belfry.server.access.Audit;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The audit log over REST. Threading: stateless. */
final class AuditRoutes {
  private final Spot spot;
  private final Audit audit;

  AuditRoutes(Spot spot, Audit audit) {
    this.spot = spot;
    this.audit = audit;
  }

  List<Route> all() {
    return List.of(Route.get("audit", Spot.NS + "/audit", ADMIN, this::list).costs(Cost.LIST));
  }

  private Answer list(Call call) {
    // The first is opened by the gate for those of all namespaces only.
    String scope = call.path("ns").equals(Audit.EVERYWHERE) ? Audit.EVERYWHERE : spot.scope(call);
    call.knows("limit", "cursor");
    return Listed.page(
        call,
        limit -> {
          Audit.Listing page = audit.list(scope, call.query("cursor"), limit);
          return new Listed.Batch<>(page.entries(), page.next());
        },
        AuditRoutes::change);
  }

  private static ObjectNode change(Audit.Entry entry) {
    ObjectNode node = Spot.node().put("at", entry.at().toString()).put("who", entry.who());
    if (!entry.role().isEmpty()) {
      node.put("role", entry.role());
    }
    return node.put("action", entry.action())
        .put("target", entry.target())
        .put("from", entry.from())
        .put("node", entry.node())
        .put("outcome", entry.outcome());
  }
}
