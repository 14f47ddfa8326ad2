package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ADMIN;

import io.belfry.server.access.Vault;
import io.belfry.server.form.Fields;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Secrets over REST: their values come in and never go out. Threading: stateless. */
final class SecretRoutes {
  private static final String SECRETS = Spot.NS + "/secrets";

  private final Spot spot;
  private final Vault vault;

  SecretRoutes(Spot spot, Vault vault) {
    this.spot = spot;
    this.vault = vault;
  }

  List<Route> all() {
    return List.of(
        Route.get("listSecrets", SECRETS, ADMIN, this::list),
        Route.put("putSecret", SECRETS + "/{secret}", ADMIN, this::put),
        Route.delete("deleteSecret", SECRETS + "/{secret}", ADMIN, this::delete));
  }

  private Answer list(Call call) {
    call.knows();
    spot.of(call);
    ObjectNode answer = Spot.node();
    ArrayNode items = answer.putArray("items");
    vault
        .list(call.path("ns"))
        .forEach(info -> items
            .addObject()
            .put("name", info.name())
            .put("updated", info.updated().toString())
            .put("by", info.by()));
    return Answer.ok(answer);
  }

  private Answer put(Call call) {
    spot.of(call);
    Fields fields = Fields.of(call.body());
    String value =
        fields.text("value").orElseThrow(() -> fields.missing("value", "it is what is kept"));
    fields.end();
    vault.put(call.path("ns"), call.path("secret"), value, call.principal().name());
    return Answer.nothing(204);
  }

  private Answer delete(Call call) {
    spot.of(call);
    if (!vault.delete(call.path("ns"), call.path("secret"))) {
      throw Problem.notFound("secret", call.path("secret"));
    }
    return Answer.nothing(204);
  }
}
