package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ADMIN;
import static io.belfry.server.rest.Permission.GLOBAL_ADMIN;

import io.belfry.model.WireName;
import io.belfry.server.access.Role;
import io.belfry.server.access.TokenRecord;
import io.belfry.server.access.Tokens;
import io.belfry.server.form.Fields;
import io.belfry.server.rest.Problem.Code;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Tokens over REST. Threading: stateless. */
final class TokenRoutes {
  private static final String TOKENS = Spot.NS + "/tokens";
  private static final String ALL = "/api/v1/tokens";

  private final Spot spot;
  private final Tokens tokens;

  TokenRoutes(Spot spot, Tokens tokens) {
    this.spot = spot;
    this.tokens = tokens;
  }

  List<Route> all() {
    return List.of(
        Route.get("listTokens", TOKENS, ADMIN, this::list).costs(Cost.LIST),
        Route.post("createToken", TOKENS, ADMIN, this::create),
        Route.delete("revokeToken", TOKENS + "/{token}", ADMIN, this::revoke),
        Route.get("listAllTokens", ALL, GLOBAL_ADMIN, this::listAll).costs(Cost.LIST),
        Route.delete("revokeAnyToken", ALL + "/{token}", GLOBAL_ADMIN, this::revokeAny));
  }

  private Answer list(Call call) {
    call.knows("cursor");
    return Listed.page(call, tokens.list(spot.record(call)), TokenRoutes::place, this::token);
  }

  /** Also those of namespaces that were deleted. */
  private Answer listAll(Call call) {
    call.knows("cursor");
    return Listed.page(call, tokens.list(), TokenRoutes::place, this::token);
  }

  /** By name, and of one name by id. */
  private static String place(TokenRecord record) {
    return record.name() + "\0" + record.id();
  }

  private ObjectNode token(TokenRecord record) {
    ObjectNode node = Spot.node()
        .put("id", record.id())
        .put("name", record.name())
        .put("role", WireName.of(record.role()))
        .put("allNamespaces", record.namespace().isEmpty())
        .put("created", record.created().toString())
        .put("by", record.by());
    record.namespace().ifPresent(name -> node.put("namespace", name));
    record.expires().ifPresent(at -> node.put("expires", at.toString()));
    if (tokens.isEnded(record)) {
      node.put("namespaceDeleted", true);
    }
    return node;
  }

  private Answer create(Call call) {
    spot.of(call);
    Fields fields = Fields.of(call.body());
    String name =
        fields.text("name").orElseThrow(() -> fields.missing("name", "people speak of it by it"));
    Role role = fields
        .word("role", Role.class)
        .orElseThrow(() -> fields.missing("role", "it says what the token may do"));
    boolean everywhere = fields.flag("allNamespaces").orElse(false);
    Optional<Duration> life = fields.duration("expiresIn");
    fields.end();
    if (everywhere && !call.principal().isGlobal()) {
      throw Problem.at(
          "allNamespaces",
          Code.FORBIDDEN,
          "A token for all namespaces needs an admin of all of them. Make one for this namespace.");
    }
    Tokens.Made made = tokens
        .create(
            name,
            role,
            everywhere ? Optional.empty() : Optional.of(spot.record(call)),
            life,
            call.principal())
        .orElseThrow(() -> Problem.of(
            Code.UNAUTHENTICATED, "Your own token has ended meanwhile, so none was made."));
    call.concerns("token " + made.record().id() + " (" + name + ", " + WireName.of(role) + ")");
    ObjectNode answer = token(made.record()).put("token", made.token());
    return Answer.created(answer);
  }

  private Answer revoke(Call call) {
    spot.of(call);
    String id = call.path("token");
    TokenRecord record = tokens
        .find(id)
        .filter(tokens.list(spot.record(call))::contains)
        .orElseThrow(() -> Problem.notFound("token", id));
    if (record.namespace().isEmpty() && !call.principal().isGlobal()) {
      throw Problem.of(
          Code.FORBIDDEN, "A token for all namespaces is revoked by an admin of all of them.");
    }
    return revoke(id);
  }

  /** By its id alone: whatever its namespace is, and whether it still exists. */
  private Answer revokeAny(Call call) {
    return revoke(call.path("token"));
  }

  private Answer revoke(String id) {
    return switch (tokens.revoke(id)) {
      case REVOKED -> Answer.nothing(204);
      case UNKNOWN -> throw Problem.notFound("token", id);
      case LAST_ADMIN ->
        throw Problem.of(
            Code.CONFLICT,
            "This is the last token of an admin of all namespaces that does not expire. Make another first.");
    };
  }
}
