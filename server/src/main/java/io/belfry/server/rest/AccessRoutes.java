package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ADMIN;
import static io.belfry.server.rest.Permission.ANONYMOUS;
import static io.belfry.server.rest.Permission.ANY;

import io.belfry.model.Check;
import io.belfry.model.Word;
import io.belfry.server.access.Audit;
import io.belfry.server.access.Principal;
import io.belfry.server.access.Role;
import io.belfry.server.access.Sessions;
import io.belfry.server.access.TokenRecord;
import io.belfry.server.access.Tokens;
import io.belfry.server.access.Vault;
import io.belfry.server.form.Fields;
import io.belfry.server.rest.Problem.Code;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Logins, tokens, secrets and the audit log over REST. Threading: stateless. */
final class AccessRoutes {
  private static final String V1 = "/api/v1";
  private static final String TOKENS = Spot.NS + "/tokens";
  private static final String SECRETS = Spot.NS + "/secrets";

  /** What they are made of. */
  record Parts(
      Spot spot,
      Gate gate,
      Tokens tokens,
      Sessions sessions,
      Vault vault,
      Audit audit,
      Address address) {}

  /** How the server is reached. */
  record Address(Supplier<String> url, boolean tls, boolean insecure) {}

  private final Parts parts;

  AccessRoutes(Parts parts) {
    this.parts = parts;
  }

  List<Route> all() {
    return List.of(
        Route.post("login", V1 + "/login", ANONYMOUS, this::login),
        Route.post("logout", V1 + "/logout", ANY, this::logout),
        Route.post("createLoginLink", V1 + "/login-links", ANY, this::link),
        Route.get("me", V1 + "/me", ANY, this::me),
        Route.get("listTokens", TOKENS, ADMIN, this::tokens),
        Route.post("createToken", TOKENS, ADMIN, this::createToken),
        Route.delete("revokeToken", TOKENS + "/{token}", ADMIN, this::revokeToken),
        Route.get("listSecrets", SECRETS, ADMIN, this::secrets),
        Route.put("putSecret", SECRETS + "/{secret}", ADMIN, this::putSecret),
        Route.delete("deleteSecret", SECRETS + "/{secret}", ADMIN, this::deleteSecret),
        Route.get("audit", Spot.NS + "/audit", ADMIN, this::audit));
  }

  private Answer login(Call call) {
    if (!parts.gate.mayTry(call.context())) {
      throw parts.gate.failed(call.context(), "");
    }
    Fields fields = Fields.of(call.body());
    Optional<String> token = fields.text("token");
    Optional<String> code = fields.text("code");
    fields.end();
    Check.that(
        token.isPresent() != code.isPresent(),
        "token",
        new Check.Plain(token.isPresent() ? "given beside code" : "nothing"),
        "or code must be given, and only one of them, because a session begins once",
        "Send one of the two.");
    Sessions.Begun begun = token.isPresent()
        ? parts
            .tokens
            .verify(token.get())
            .map(parts.sessions::begin)
            .orElseThrow(() -> parts.gate.failed(
                call.context(), "The token is not known here, or is not good any more."))
        : parts
            .sessions
            .redeem(code.orElseThrow())
            .orElseThrow(() -> parts.gate.failed(
                call.context(), "The link was used before, or is too old. Ask for another."));
    call.turnedOutToBe(begun.principal());
    var cookie = new Cookie(Gate.COOKIE, begun.cookie());
    cookie.setHttpOnly(true);
    cookie.setSecure(parts.address.tls());
    cookie.setSameSite(SameSite.STRICT);
    cookie.setPath("/");
    call.context().cookie(cookie);
    return Answer.ok(who(begun.principal())
        .put("csrf", begun.csrf())
        .put("expires", begun.expires().toString()));
  }

  private ObjectNode who(Principal principal) {
    ObjectNode node = Spot.node()
        .put("name", principal.name())
        .put("role", Word.of(principal.role()))
        .put("allNamespaces", principal.isGlobal())
        .put("insecure", parts.address.insecure());
    ArrayNode names = node.putArray("namespaces");
    parts.spot.namespaces().all().keySet().stream().filter(principal::maySee).forEach(names::add);
    return node;
  }

  private Answer logout(Call call) {
    String cookie = call.context().cookie(Gate.COOKIE);
    if (cookie != null) {
      parts.sessions.end(cookie);
      call.context().removeCookie(Gate.COOKIE);
    }
    return Answer.nothing(204);
  }

  private Answer link(Call call) {
    String code = parts.sessions.link(call.principal());
    return Answer.created(Spot.node()
        .put("url", parts.address.url().get() + "/login#code=" + code)
        .put("expires", parts.sessions.linkExpires().toString()));
  }

  private Answer me(Call call) {
    ObjectNode node = who(call.principal());
    String cookie = call.context().cookie(Gate.COOKIE);
    if (cookie != null && call.header("Authorization").isEmpty()) {
      parts
          .sessions
          .verify(cookie)
          .ifPresent(session ->
              node.put("csrf", session.csrf()).put("expires", session.expires().toString()));
    }
    return Answer.ok(node);
  }

  private Answer tokens(Call call) {
    call.knows();
    parts.spot.of(call);
    ObjectNode answer = Spot.node();
    ArrayNode items = answer.putArray("items");
    parts.tokens.list(call.path("ns")).forEach(record -> items.add(token(record)));
    return Answer.ok(answer);
  }

  private static ObjectNode token(TokenRecord record) {
    ObjectNode node = Spot.node()
        .put("id", record.id())
        .put("name", record.name())
        .put("role", Word.of(record.role()))
        .put("allNamespaces", record.namespace().isEmpty())
        .put("created", record.created().toString())
        .put("by", record.by());
    record.namespace().ifPresent(name -> node.put("namespace", name));
    record.expires().ifPresent(at -> node.put("expires", at.toString()));
    return node;
  }

  private Answer createToken(Call call) {
    parts.spot.of(call);
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
    Tokens.Made made = parts.tokens.create(
        name,
        role,
        everywhere ? Optional.empty() : Optional.of(call.path("ns")),
        life,
        call.principal().name());
    call.concerns("token " + made.record().id() + " (" + name + ", " + Word.of(role) + ")");
    ObjectNode answer = token(made.record()).put("token", made.token());
    return Answer.created(answer);
  }

  private Answer revokeToken(Call call) {
    parts.spot.of(call);
    String id = call.path("token");
    TokenRecord record = parts
        .tokens
        .find(id)
        .filter(found -> parts.tokens.list(call.path("ns")).contains(found))
        .orElseThrow(() -> Problem.notFound("token", id));
    if (record.namespace().isEmpty() && !call.principal().isGlobal()) {
      throw Problem.of(
          Code.FORBIDDEN, "A token for all namespaces is revoked by an admin of all of them.");
    }
    if (isLastKey(record)) {
      throw Problem.of(
          Code.CONFLICT,
          "This is the last token of an admin of all namespaces that does not expire. Make another first.");
    }
    if (!parts.tokens.revoke(id)) {
      throw Problem.notFound("token", id);
    }
    return Answer.nothing(204);
  }

  private boolean isLastKey(TokenRecord record) {
    return record.role() == Role.ADMIN
        && record.namespace().isEmpty()
        && record.expires().isEmpty()
        && parts.tokens.keyHolders() <= 1;
  }

  private Answer secrets(Call call) {
    call.knows();
    parts.spot.of(call);
    ObjectNode answer = Spot.node();
    ArrayNode items = answer.putArray("items");
    parts
        .vault
        .list(call.path("ns"))
        .forEach(info -> items
            .addObject()
            .put("name", info.name())
            .put("updated", info.updated().toString())
            .put("by", info.by()));
    return Answer.ok(answer);
  }

  private Answer putSecret(Call call) {
    parts.spot.of(call);
    Fields fields = Fields.of(call.body());
    String value =
        fields.text("value").orElseThrow(() -> fields.missing("value", "it is what is kept"));
    fields.end();
    parts.vault.put(
        call.path("ns"), call.path("secret"), value, call.principal().name());
    return Answer.nothing(204);
  }

  private Answer deleteSecret(Call call) {
    parts.spot.of(call);
    if (!parts.vault.delete(call.path("ns"), call.path("secret"))) {
      throw Problem.notFound("secret", call.path("secret"));
    }
    return Answer.nothing(204);
  }

  private Answer audit(Call call) {
    if (!call.path("ns")
        .equals(Audit.EVERYWHERE)) { // which the gate opens for those of all namespaces only
      parts.spot.of(call);
    }
    call.knows("limit", "cursor");
    Audit.Listing page = parts.audit.list(call.path("ns"), call.query("cursor"), call.limit());
    ObjectNode answer = Spot.node();
    ArrayNode items = answer.putArray("items");
    page.entries().forEach(entry -> items.add(change(entry)));
    page.next().ifPresent(next -> answer.put("next", next));
    return Answer.ok(answer);
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
