package io.belfry.server.rest;

import io.belfry.model.time.Time;
import io.belfry.server.access.Principal;
import io.belfry.server.access.Role;
import io.belfry.server.access.Sessions;
import io.belfry.server.access.Tokens;
import io.belfry.server.rest.Problem.Code;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests in, or not: who is asking, may it do this here, does it ask too often. Denies what it does not know.
 *
 * <p>Threading: safe.
 */
final class Gate {
  static final String COOKIE = "belfry";
  static final String CSRF = "Belfry-Csrf";

  private static final String BEARER = "Bearer ";
  private static final String NAMESPACE = "ns";

  private final Tokens tokens;
  private final Sessions sessions;
  private final RateLimit requests;
  private final RateLimit failures;
  private final boolean metricsAnonymous;

  /** What may come through in which time. */
  record Limits(int requestsPerSecond, int failuresPerMinute, boolean metricsAnonymous) {}

  Gate(Tokens tokens, Sessions sessions, Limits limits, Time time) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.requests =
        new RateLimit(time, limits.requestsPerSecond, Duration.ofSeconds(1).toNanos());
    this.failures =
        new RateLimit(time, limits.failuresPerMinute, Duration.ofMinutes(1).toNanos());
    this.metricsAnonymous = limits.metricsAnonymous;
  }

  /** Who is asking, if it may do this; a {@link Problem} otherwise. */
  Optional<Principal> admit(Context context, Route route) {
    if (isOpen(route)) {
      return Optional.empty();
    }
    Principal principal = identify(context, route);
    if (!requests.take(principal.id())) {
      throw Problem.of(
          Code.TOO_MANY,
          "This token asks more often than limit.rate allows. Wait a second, or raise it.");
    }
    permit(context, route, principal);
    return Optional.of(principal);
  }

  private boolean isOpen(Route route) {
    return route.permission() == Permission.ANONYMOUS
        || (metricsAnonymous && route.name().equals("metrics"));
  }

  private Principal identify(Context context, Route route) {
    @Nullable String header = context.header("Authorization");
    if (header != null) {
      if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
        throw failed(
            context,
            "Authorization must be \"Bearer\" and a token, because nothing else is known.");
      }
      return tokens
          .verify(header.substring(BEARER.length()).strip())
          .orElseThrow(() -> failed(
              context,
              "The token is not known here, or is not good any more. Ask an admin for another."));
    }
    @Nullable String cookie = context.cookie(COOKIE);
    if (cookie == null) {
      throw Problem.of(
          Code.UNAUTHENTICATED,
          "A token is needed: Authorization: Bearer … (a local server keeps the admin's in admin.token).");
    }
    Sessions.Current session = sessions
        .verify(cookie)
        .orElseThrow(() -> failed(context, "The session is over. Log in again."));
    if (route.changes() && !same(session.csrf(), context.header(CSRF))) {
      throw Problem.of(
          Code.FORBIDDEN,
          "A change by a session must carry the header " + CSRF
              + " with what the login answered, because another site could ask otherwise.");
    }
    return session.principal();
  }

  private static boolean same(String expected, @Nullable String given) {
    return given != null
        && MessageDigest.isEqual(
            expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }

  /** Guessing is slowed down by address; a good token is never refused for it. */
  Problem failed(Context context, String message) {
    return failures.take(context.ip())
        ? Problem.of(Code.UNAUTHENTICATED, message)
        : Problem.of(
            Code.TOO_MANY,
            "Too many failed logins came from this address (limit.loginRate). Wait a minute.");
  }

  boolean mayTry(Context context) {
    return failures.has(context.ip());
  }

  private static void permit(Context context, Route route, Principal principal) {
    @Nullable String namespace = context.pathParamMap().get(NAMESPACE);
    if (namespace != null && !principal.maySee(namespace)) {
      throw Problem.of(
          Code.FORBIDDEN,
          "This token is for another namespace. Use one for this namespace, or for all.");
    }
    if (route.permission() == Permission.GLOBAL_ADMIN && !principal.isGlobal()) {
      throw Problem.of(Code.FORBIDDEN, "This needs an admin of all namespaces.");
    }
    Optional<Role> needed = route.permission().role();
    if (needed.isPresent() && !principal.role().includes(needed.get())) {
      throw Problem.of(
          Code.FORBIDDEN,
          "This needs the role " + io.belfry.model.Word.of(needed.get()) + ", but the token has "
              + io.belfry.model.Word.of(principal.role()) + ".");
    }
  }
}
