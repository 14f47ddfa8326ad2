package io.belfry.server.rest;

import io.belfry.model.Check;
import io.belfry.model.Word;
import io.belfry.model.time.Time;
import io.belfry.server.access.Audit;
import io.belfry.server.access.Principal;
import io.belfry.server.access.Refusals;
import io.belfry.server.access.Tokens;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds routes to the server: each behind the gate, its refusals as problems, its changes in the audit log.
 *
 * <p>Threading: safe.
 */
final class Router {
  private static final Logger LOG = LoggerFactory.getLogger(Router.class);
  private static final String JSON = "application/json; charset=utf-8";
  private static final int PART_CHARS_MAX = 300;

  private final List<Route> routes;
  private final Gate gate;
  private final Audit audit;
  private final Refusals refusals;
  private final Problems problems = new Problems();
  private final Time time;
  private final String node;
  private final long bodyMax;
  private final Predicate<String> isNamespace;

  /** What it is bound to. */
  record Parts(
      Gate gate,
      Audit audit,
      Refusals refusals,
      Time time,
      String node,
      long bodyMax,
      Predicate<String> isNamespace) {}

  Router(List<Route> routes, Parts parts) {
    this.routes = List.copyOf(routes);
    this.gate = parts.gate;
    this.audit = parts.audit;
    this.refusals = parts.refusals;
    this.time = parts.time;
    this.node = parts.node;
    this.bodyMax = parts.bodyMax;
    this.isNamespace = parts.isNamespace;
    requireDistinct();
  }

  private void requireDistinct() {
    Set<String> seen = new HashSet<>();
    routes.forEach(route -> {
      if (!seen.add(route.name()) || !seen.add(route.method() + " " + route.path())) {
        throw new IllegalStateException("two routes are the same: " + route.name());
      }
    });
  }

  void bind(JavalinConfig config) {
    for (Route route : routes) {
      config.routes.addHttpHandler(route.method(), route.path(), context -> serve(context, route));
      if (!route.changes()) {
        // Otherwise Javalin answers by itself, and says to anybody that all is well.
        config.routes.addHttpHandler(
            HandlerType.HEAD, route.path(), context -> serve(context, route));
      }
    }
    methods()
        .forEach((path, methods) -> config.routes.addHttpHandler(
            HandlerType.OPTIONS, path, context -> allow(context, methods)));
    // Javalin has a handler of its own for the first, which would win over that for all.
    config.routes.exception(HttpResponseException.class, (thrown, context) -> {
      // Which methods there are, if it was the method.
      Optional.ofNullable(thrown.getDetails().get("availableMethods"))
          .ifPresent(methods -> context.header("Allow", methods));
      refuse(context, problems.of(thrown));
    });
    config.routes.exception(
        Exception.class, (thrown, context) -> refuse(context, problems.of(thrown)));
  }

  /** What each address knows, for those who ask. Other sites get no leave to call it. */
  private Map<String, Set<String>> methods() {
    var all = new TreeMap<String, Set<String>>();
    for (Route route : routes) {
      Set<String> methods = all.computeIfAbsent(route.path(), path -> new TreeSet<>());
      methods.addAll(List.of(route.method().name(), "OPTIONS"));
      if (!route.changes()) {
        methods.add("HEAD");
      }
    }
    return all;
  }

  private static void allow(Context context, Set<String> methods) {
    guard(context);
    context.status(204).header("Allow", String.join(", ", methods));
  }

  /** No answer is kept by anybody, and none is taken for something else than it says. */
  private static void guard(Context context) {
    context.header("Cache-Control", "no-store").header("X-Content-Type-Options", "nosniff");
  }

  private void serve(Context context, Route route) {
    guard(context);
    var call = new Call(context, bodyMax);
    Answer answer;
    try {
      Optional<Principal> principal = gate.identify(context, route);
      if (principal.isPresent()) {
        call.turnedOutToBe(principal.get());
        gate.permit(context, route, principal.get());
      }
      answer = route.handling().handle(call);
    } catch (Throwable thrown) { // also a stack that was too deep: whoever asks gets an answer
      Problem problem = problems.of(thrown);
      writeDown(call, route, problem);
      refuse(context, problem);
      return;
    }
    if (route.isAudited()) {
      audit(call, route, entry(call, route, answer.status()));
    }
    // What goes wrong from here on undoes nothing: it is not written down again.
    send(context, answer);
  }

  private void writeDown(Call call, Route route, Problem problem) {
    boolean stranger = call.whoever().isEmpty();
    boolean refusal = switch (problem.code()) {
      case UNAUTHENTICATED ->
        route.permission() == Permission.ANONYMOUS || Gate.wasTried(call.context());
      case FORBIDDEN -> true;
      case TOO_MANY -> stranger;
      default -> false;
    };
    int status = problem.code().status;
    if (refusal) {
      refusals.note(
          stranger ? Refusals.Kind.STRANGER : Refusals.Kind.KNOWN,
          where(call, route),
          call.whoever().map(Principal::id).orElseGet(call::from),
          entry(call, route, status));
    } else if (route.isAudited() && !stranger && problem.code() != Problem.Code.TOO_MANY) {
      audit(call, route, entry(call, route, status));
    }
  }

  private static void send(Context context, Answer answer) {
    if (answer.status() == 0) {
      return;
    }
    Leftover.read(context);
    context.status(answer.status());
    answer.headers().forEach(context::header);
    answer
        .body()
        .ifPresent(body -> context.contentType(JSON).result(Call.JSON.writeValueAsBytes(body)));
  }

  static void refuse(Context context, Problem problem) {
    Leftover.read(context);
    guard(context);
    context.status(problem.code().status);
    if (problem.passes()) {
      context.header("Retry-After", Integer.toString(problem.seconds()));
    }
    if (problem.code() == Problem.Code.UNAUTHENTICATED) {
      context.header("WWW-Authenticate", "Bearer");
    }
    context.contentType(JSON).result(problem.json().toString().getBytes(StandardCharsets.UTF_8));
  }

  private Audit.Entry entry(Call call, Route route, int status) {
    Optional<Principal> who = call.whoever();
    return new Audit.Entry(
        time.wall(),
        who.map(Router::name).orElseGet(() -> stranger(call.context())),
        who.map(each -> Word.of(each.role())).orElse(""),
        route.name(),
        target(call, where(call, route)),
        call.from(),
        node,
        status);
  }

  private static String name(Principal who) {
    return who.name() + " (" + who.id() + ")";
  }

  private String stranger(Context context) {
    return gate.lapsed(context).map(who -> name(who) + ", expired").orElse("anonymous");
  }

  /** A change that cannot be written down has happened all the same: the log of the process has it then. */
  private void audit(Call call, Route route, Audit.Entry entry) {
    try {
      audit.write(where(call, route), entry);
    } catch (RuntimeException e) {
      LOG.warn("This change could not be written into the audit log: {}", entry, e);
    }
  }

  /** The log of the namespace that is meant, if there is one of that name and it is not the namespace itself that comes or goes. */
  private String where(Call call, Route route) {
    return Optional.ofNullable(call.context().pathParamMap().get("ns"))
        .filter(name -> route.permission() != Permission.GLOBAL_ADMIN && isNamespace.test(name))
        .orElse(Audit.EVERYWHERE);
  }

  private static String target(Call call, String where) {
    Stream<String> address = call.context().pathParamMap().entrySet().stream()
        .filter(each -> !each.getKey().equals("ns") || where.equals(Audit.EVERYWHERE))
        .map(each -> (each.getKey().equals("ns") ? "namespace" : each.getKey()) + " "
            + Check.clip(harmless(each.getValue()), PART_CHARS_MAX))
        .sorted();
    return Stream.concat(address, call.about().stream()).collect(Collectors.joining(", "));
  }

  /** Whoever names a token itself where its id was meant must not find it in the log. */
  static String harmless(String value) {
    return value.contains(Tokens.PREFIX) ? "(a token, not shown)" : value;
  }
}
