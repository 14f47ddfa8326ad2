package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ADMIN;
import static io.belfry.server.rest.Permission.GLOBAL_ADMIN;

import io.belfry.executors.secret.Destinations;
import io.belfry.server.access.SecretVault;
import io.belfry.server.form.Fields;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Secrets over REST: their values are stored and never returned. Threading: stateless. */
final class SecretRoutes {
  private static final String SECRETS = Spot.NS + "/secrets";
  private static final String ROTATE = "/api/v1/secrets/rotate";
  private static final String DESTINATIONS = "destinations";

  private final Spot spot;
  private final SecretVault vault;

  SecretRoutes(Spot spot, SecretVault vault) {
    this.spot = spot;
    this.vault = vault;
  }

  List<Route> all() {
    return List.of(
        Route.get("listSecrets", SECRETS, ADMIN, this::list).costs(Cost.LIST),
        Route.put("putSecret", SECRETS + "/{secret}", ADMIN, this::put),
        Route.delete("deleteSecret", SECRETS + "/{secret}", ADMIN, this::delete),
        Route.post("rotateSecrets", ROTATE, GLOBAL_ADMIN, this::rotate));
  }

  private Answer list(Call call) {
    call.knows("cursor");
    spot.of(call);
    return Listed.page(
        call, vault.list(spot.scope(call)), SecretVault.SecretName::name, SecretRoutes::secret);
  }

  private static ObjectNode secret(SecretVault.SecretName info) {
    ObjectNode item = Spot.node()
        .put("name", info.name())
        .put("updated", info.updated().toString())
        .put("by", info.by());
    info.destinations().texts().forEach(item.putArray(DESTINATIONS)::add);
    return item.put("unrestricted", info.destinations().isUnrestricted());
  }

  private Answer put(Call call) {
    spot.of(call);
    Fields fields = Fields.of(call.body());
    String value =
        fields.text("value").orElseThrow(() -> fields.missing("value", "it is what is kept"));
    Destinations destinations = Destinations.parse(
        DESTINATIONS,
        fields
            .texts(DESTINATIONS)
            .orElseThrow(() -> fields.missing(
                DESTINATIONS,
                "a secret is sent to its destinations only (origins, script, or *)")));
    fields.end();
    vault.put(
        spot.scope(call),
        call.path("secret"),
        value,
        destinations,
        call.principal().name());
    return Answer.nothing(204);
  }

  private Answer delete(Call call) {
    spot.of(call);
    if (!vault.delete(spot.scope(call), call.path("secret"))) {
      throw Problem.notFound("secret", call.path("secret"));
    }
    return Answer.nothing(204);
  }

  private Answer rotate(Call call) {
    call.knows("cursor");
    SecretVault.Rotation done = vault.rotate(call.query("cursor"));
    ObjectNode answer = Spot.node()
        .put("key", done.key())
        .put("resealed", done.resealed())
        .put("current", done.current());
    done.unreadable().forEach(answer.putArray("unreadable")::add);
    done.next().ifPresent(next -> answer.put("next", next));
    return Answer.ok(answer);
  }
}
