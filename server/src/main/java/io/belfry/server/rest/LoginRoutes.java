package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ANONYMOUS;
import static io.belfry.server.rest.Permission.ANY;

import io.belfry.model.Check;
import io.belfry.model.Word;
import io.belfry.server.access.Principal;
import io.belfry.server.access.Sessions;
import io.belfry.server.access.Tokens;
import io.belfry.server.form.Fields;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Logging in and out over REST. Threading: stateless. */
final class LoginRoutes {
  private static final String V1 = "/api/v1";

  /** What they are made of. */
  record Parts(Spot spot, Gate gate, Tokens tokens, Sessions sessions, Address address) {}

  /** How the server is reached. */
  record Address(Supplier<String> url, boolean tls, boolean insecure) {}

  private final Parts parts;

  LoginRoutes(Parts parts) {
    this.parts = parts;
  }

  List<Route> all() {
    return List.of(
        Route.post("login", V1 + "/login", ANONYMOUS, this::login),
        Route.post("logout", V1 + "/logout", ANY, this::logout),
        Route.post("createLoginLink", V1 + "/login-links", ANY, this::link),
        Route.get("me", V1 + "/me", ANY, this::me));
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
}
