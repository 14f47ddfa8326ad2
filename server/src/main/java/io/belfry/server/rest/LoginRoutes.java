package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ANONYMOUS;
import static io.belfry.server.rest.Permission.ANY;

import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.server.access.Principal;
import io.belfry.server.access.Sessions;
import io.belfry.server.access.Tokens;
import io.belfry.server.form.Fields;
import io.belfry.server.rest.Problem.Code;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Logging in and out over REST. Threading: stateless. */
final class LoginRoutes {
  private static final String V1 = "/api/v1";
  /** Anybody may send one: it holds a token or a code, and no more. */
  private static final int BODY_BYTES_MAX = 4096;

  /** What they are made of. */
  record Parts(Spot spot, Gate gate, Tokens tokens, Sessions sessions, Address address) {}

  /**
   * How the server is reached.
   *
   * @param tls whether browsers reach it over TLS only
   */
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

  /** Verified first and counted then: the failures of others never keep a valid token or link out. */
  private Answer login(Call call) {
    Fields fields = Fields.of(call.body(BODY_BYTES_MAX));
    Optional<String> token = fields.text("token");
    Optional<String> code = fields.text("code");
    boolean replace = fields.flag("replace").orElse(false);
    fields.end();
    Check.that(
        token.isPresent() != code.isPresent(),
        "token",
        new Check.Plain(token.isPresent() ? "given beside code" : "nothing"),
        "or code must be given, and only one of them, because a session begins once",
        "Send one of the two.");
    Principal principal = token.isPresent()
        ? parts.tokens.verify(token.get()).orElseThrow(() -> unknownToken(call))
        : parts.sessions.peek(code.orElseThrow()).orElseThrow(() -> usedLink(call));
    if (!replace) {
      requireSame(call, principal);
    }
    parts.gate.countLogin(principal);
    Sessions.Begun begun = token.isPresent()
        ? parts.sessions.begin(principal)
        : parts.sessions.redeem(code.orElseThrow()).orElseThrow(() -> usedLink(call));
    call.turnedOutToBe(begun.principal());
    parts.gate.cookie(call.context()).ifPresent(parts.sessions::end);
    call.context().cookie(cookie(begun.cookie()));
    return Answer.ok(who(begun.principal())
        .put("csrf", begun.csrf())
        .put("expires", begun.expires().toString()));
  }

  private Problem unknownToken(Call call) {
    return parts.gate.failed(
        call.context(), "The token is not known here, or is not good any more.");
  }

  private Problem usedLink(Call call) {
    return parts.gate.failed(
        call.context(), "The link was used before, or is too old. Ask for another.");
  }

  /** A link that somebody else made must not silently put its reader into a session of its maker. */
  private void requireSame(Call call, Principal next) {
    parts
        .gate
        .cookie(call.context())
        .flatMap(parts.sessions::verify)
        .map(Sessions.Current::principal)
        .filter(now -> !now.id().equals(next.id()))
        .ifPresent(now -> {
          throw Problem.at(
                  "replace",
                  Code.CONFLICT,
                  "You are logged in as \"" + now.name() + "\", and this would log you in as \""
                      + next.name() + "\" (" + WireName.of(next.role())
                      + "). Send replace: true to do so, or log out first.")
              .with(Map.of(
                  "current", now.name(),
                  "requested", next.name(),
                  "role", WireName.of(next.role())));
        });
  }

  private Cookie cookie(String value) {
    var cookie = new Cookie(parts.gate.cookieName(), value);
    cookie.setHttpOnly(true);
    cookie.setSecure(parts.address.tls());
    cookie.setSameSite(SameSite.STRICT);
    cookie.setPath("/");
    return cookie;
  }

  private ObjectNode who(Principal principal) {
    ObjectNode node = Spot.node()
        .put("name", principal.name())
        .put("role", WireName.of(principal.role()))
        .put("allNamespaces", principal.isGlobal())
        .put("insecure", parts.address.insecure());
    ArrayNode names = node.putArray("namespaces");
    parts.spot.namespaces().all().keySet().stream().filter(principal::maySee).forEach(names::add);
    return node;
  }

  private Answer logout(Call call) {
    parts.gate.cookie(call.context()).ifPresent(value -> {
      parts.sessions.end(value);
      Cookie over = cookie("");
      over.setMaxAge(0);
      call.context().cookie(over);
    });
    return Answer.nothing(204);
  }

  /** By a token only: a session that made links would renew itself for ever, and go on after its logout. */
  private Answer link(Call call) {
    if (call.header("Authorization").isEmpty()) {
      throw Problem.of(
          Code.FORBIDDEN,
          "A login link is made with a token (Authorization: Bearer …), not with a session, because a session must end when it is logged out,"
              + " and 12 hours after its login. Use belfry token login-link, or log in again with a token.");
    }
    parts.gate.countLogin(call.principal());
    String code = parts.sessions.link(call.principal());
    return Answer.created(Spot.node()
        .put("url", parts.address.url().get() + "/login#code=" + code)
        .put("expires", parts.sessions.linkExpires().toString()));
  }

  private Answer me(Call call) {
    ObjectNode node = who(call.principal());
    if (call.header("Authorization").isEmpty()) {
      parts
          .gate
          .cookie(call.context())
          .flatMap(parts.sessions::verify)
          .ifPresent(session ->
              node.put("csrf", session.csrf()).put("expires", session.expires().toString()));
    }
    return Answer.ok(node);
  }
}
