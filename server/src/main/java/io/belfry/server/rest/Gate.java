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
  static final String CSRF = "Belfry-Csrf";

  /** Browsers take a cookie with this prefix only over TLS, for the whole host, and from the host itself: no neighbor can set it. */
  private static final String SECURE_COOKIE = "__Host-belfry";

  private static final String COOKIE = "belfry";
  private static final String BEARER = "Bearer ";
  private static final int LOGINS_PER_MINUTE = 60;
  private static final String NAMESPACE = "ns";

  private final Tokens tokens;
  private final Sessions sessions;
  private final RateLimit requests;
  private final RateLimit failures;
  private final RateLimit logins;
  private final boolean metricsAnonymous;
  private final String cookie;
  private final ClientAddresses addresses;

  /** What may come through in which time. */
  record Limits(int requestsPerSecond, int failuresPerMinute, boolean metricsAnonymous) {}

  /**
   * How requests arrive.
   *
   * @param secure whether browsers reach the server over TLS only
   */
  record Arrival(boolean secure, ClientAddresses addresses) {}

  Gate(Tokens tokens, Sessions sessions, Limits limits, Arrival arrival, Time time) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.requests =
        new RateLimit(time, limits.requestsPerSecond, Duration.ofSeconds(1).toNanos());
    this.failures =
        new RateLimit(time, limits.failuresPerMinute, Duration.ofMinutes(1).toNanos());
    this.logins = new RateLimit(time, LOGINS_PER_MINUTE, Duration.ofMinutes(1).toNanos());
    this.metricsAnonymous = limits.metricsAnonymous;
    this.cookie = arrival.secure ? SECURE_COOKIE : COOKIE;
    this.addresses = arrival.addresses;
  }

  /** The name of the cookie of sessions. */
  String cookieName() {
    return cookie;
  }

  /** The cookie of the request's session, which may be anything. */
  Optional<String> cookie(Context context) {
    return Optional.ofNullable(context.cookie(cookie));
  }

  /** The address of the client. */
  String address(Context context) {
    return addresses.of(context);
  }

  /** Who is asking; nobody in particular where anybody may. A {@link Problem} if it cannot be said. */
  Optional<Principal> identify(Context context, Route route) {
    return isOpen(route) ? Optional.empty() : Optional.of(identify(context));
  }

  private boolean isOpen(Route route) {
    return route.permission() == Permission.ANONYMOUS
        || (metricsAnonymous && route.name().equals("metrics"));
  }

  private Principal identify(Context context) {
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
    return cookie(context)
        .map(sessions::verify)
        .orElseThrow(
            () -> Problem.of(
                Code.UNAUTHENTICATED,
                "A token is needed: Authorization: Bearer … (a local server keeps the admin's in admin.token)."))
        .map(Sessions.Current::principal)
        .orElseThrow(() -> failed(context, "The session is over. Log in again."));
  }

  /** Whether something was shown that should have been good: whoever shows nothing tries nothing. */
  boolean wasTried(Context context) {
    return context.header("Authorization") != null || cookie(context).isPresent();
  }

  /** Whose token was shown, if it was good once and has run out. */
  Optional<Principal> lapsed(Context context) {
    return Optional.ofNullable(context.header("Authorization"))
        .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .flatMap(header -> tokens.expired(header.substring(BEARER.length()).strip()));
  }

  /** Passes if the caller may do this here and now; a {@link Problem} otherwise. */
  void permit(Context context, Route route, Principal principal) {
    if (!requests.take(principal.id())) {
      throw Problem.of(
          Code.TOO_MANY,
          "This token asks more often than limit.rate allows. Wait a second, or raise it.");
    }
    if (route.changes() && context.header("Authorization") == null && !isOwnPage(context)) {
      throw Problem.of(
          Code.FORBIDDEN,
          "A change by a session must carry the header " + CSRF
              + " with what the login answered, because another site could ask otherwise.");
    }
    requireRights(context, route, principal);
  }

  /** Whether the page of the session asks, and not that of another site: the look-up is remembered from a moment ago. */
  private boolean isOwnPage(Context context) {
    return cookie(context)
        .flatMap(sessions::verify)
        .filter(session -> same(session.csrf(), context.header(CSRF)))
        .isPresent();
  }

  private static boolean same(String expected, @Nullable String given) {
    return given != null
        && MessageDigest.isEqual(
            expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }

  /** Guessing is slowed down by address; a good token is never refused for it. */
  Problem failed(Context context, String message) {
    return failures.take(ClientAddresses.bucket(address(context)))
        ? Problem.of(Code.UNAUTHENTICATED, message)
        : Problem.later(
            Code.TOO_MANY,
            "Too many failed logins came from this address (limit.loginRate). Wait a minute.",
            failures.secondsEach());
  }

  /** Each login of a valid token writes into the store: they are counted by token, whatever the address. */
  void countLogin(Principal principal) {
    if (!logins.take(principal.id())) {
      throw Problem.later(
          Code.TOO_MANY,
          "This token logs in, or asks for login links, more than " + LOGINS_PER_MINUTE
              + " times in a minute. Keep the session that a login gave, or wait.",
          logins.secondsEach());
    }
  }

  /** Whether whoever asked with these credentials may still do so: the token, and the session if it came by one. */
  boolean isStillValid(Context context, Principal principal) {
    return tokens.isValid(principal.id())
        && (context.header("Authorization") != null
            || cookie(context).flatMap(sessions::verify).isPresent());
  }

  /** Refuses a caller whose token or session was good when the request began, and is not any more. */
  void requireStillValid(Context context, Principal principal) {
    if (!isStillValid(context, principal)) {
      throw Problem.of(
          Code.UNAUTHENTICATED,
          "The token or session has ended since the request began, so this was not done.");
    }
  }

  private static void requireRights(Context context, Route route, Principal principal) {
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
          "This needs the role " + io.belfry.model.WireName.of(needed.get())
              + ", but the token has " + io.belfry.model.WireName.of(principal.role()) + ".");
    }
  }
}
