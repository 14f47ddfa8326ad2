package io.belfry.server.rest;

import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.server.access.Audit;
import io.belfry.server.access.Principal;
import io.belfry.server.access.RefusalAudit;
import io.belfry.server.access.SubmitAudit;
import io.belfry.server.access.Tokens;
import io.belfry.server.connection.Exchange;
import io.belfry.server.rest.Shares.Outcome;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Binds routes to the server: each behind the gate, its refusals as problems, its changes in the audit log.
 *
 * <p>Threading: safe.
 */
final class Router {
  private static final Logger LOG = LoggerFactory.getLogger(Router.class);
  private static final String JSON = "application/json; charset=utf-8";
  private static final Set<String> HEALTH = Set.of("/healthz", "/readyz");
  private static final int PART_CHARS_MAX = 300;
  private static final String NAMESPACE = "ns";

  private final List<Route> routes;
  private final Gate gate;
  private final Audit audit;
  private final RefusalAudit refusals;
  private final SubmitAudit submits;
  private final Problems problems = new Problems();
  private final Time time;
  private final String node;
  private final long bodyMax;
  private final BodyMemory memory = BodyMemory.ofHeap();
  private final AnswerMemory answers;
  private final Function<String, Optional<String>> scopes;

  /**
   * What it is bound to.
   *
   * @param scopes under what the audit log of a namespace is kept; empty if there is no such namespace
   */
  record Parts(
      Gate gate,
      Audit audit,
      RefusalAudit refusals,
      SubmitAudit submits,
      Time time,
      String node,
      long bodyMax,
      AnswerMemory answers,
      Function<String, Optional<String>> scopes) {}

  Router(List<Route> routes, Parts parts) {
    this.routes = List.copyOf(routes);
    this.gate = parts.gate;
    this.audit = parts.audit;
    this.refusals = parts.refusals;
    this.submits = parts.submits;
    this.time = parts.time;
    this.node = parts.node;
    this.bodyMax = parts.bodyMax;
    this.answers = parts.answers;
    this.scopes = parts.scopes;
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
    config.routes.before(Router::requirePlace);
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

  /** When all places are taken by requests that run, a few are left for those who ask whether the server is well. */
  private static void requirePlace(Context context) {
    if (Exchange.of(context::attribute).filter(Exchange::isReserved).isEmpty()) {
      return;
    }
    context.header("Connection", "close");
    if (!HEALTH.contains(context.path())) {
      throw Problem.of(
          Problem.Code.UNAVAILABLE,
          "The server has as many connections as limit.connections allows, and each has a running request. Try again later, or another server.");
    }
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
    var call = new Call(context, memory, answers, bodyMax, gate.address(context));
    try {
      serve(call, route);
    } finally {
      call.end();
    }
  }

  private void serve(Call call, Route route) {
    Context context = call.context();
    Answer answer;
    try {
      Optional<Principal> principal = gate.identify(context, route);
      if (principal.isPresent()) {
        Principal who = principal.get();
        call.comesFrom(who, scope(context, who), () -> gate.requireStillValid(context, who));
        gate.permit(context, route, who);
        call.holding().begin(route.cost());
      }
      answer = route.handling().handle(call);
    } catch (Throwable thrown) { // also a stack that was too deep: whoever asks gets an answer
      Problem problem = problems.of(thrown);
      call.holding().built(0);
      writeDown(call, route, problem);
      call.audited().forEach(part -> audit(call, route, problem.code().status, part));
      refuse(context, call.isAdmin() ? problem.forAdmin() : problem, leftover(call, route));
      return;
    }
    if (route.isAudited()) {
      audit(call, route, entry(call, route, answer.status()));
    }
    call.audited().forEach(part -> audit(call, route, answer.status(), part));
    // What goes wrong from here on undoes nothing: it is not written down again.
    try {
      send(call, route, answer);
    } catch (RuntimeException
        | Error thrown) { // no room for the answer, or a stack or a heap that was too small for it
      call.holding().built(0);
      refuse(context, problems.of(thrown), leftover(call, route));
    }
  }

  /** The namespace of the address: the caller's own one, of which its token is, or the one that has the name now. */
  private Optional<String> scope(Context context, Principal who) {
    return Optional.ofNullable(context.pathParamMap().get(NAMESPACE))
        .flatMap(name -> who.namespace()
            .filter(name::equals)
            .flatMap(own -> who.scope())
            .or(() -> scopes.apply(name)));
  }

  private static Leftover leftover(Call call, Route route) {
    if (call.whoever().isPresent()) {
      return Leftover.OF_KNOWN;
    }
    return route.permission() == Permission.ANONYMOUS ? Leftover.OF_STRANGER : Leftover.OF_INTRUDER;
  }

  private void writeDown(Call call, Route route, Problem problem) {
    boolean stranger = call.whoever().isEmpty();
    boolean refusal = switch (problem.code()) {
      case UNAUTHENTICATED ->
        route.permission() == Permission.ANONYMOUS || gate.wasTried(call.context());
      case FORBIDDEN -> true;
      case TOO_MANY -> stranger;
      default -> false;
    };
    int status = problem.code().status;
    if (refusal) {
      String where = where(call, route);
      refusals.record(
          call.whoever()
              .map(RefusalAudit.Caller::of)
              .orElseGet(
                  () -> RefusalAudit.Caller.stranger(where, ClientAddresses.bucket(call.from()))),
          where,
          entry(call, route, status));
    } else if (route.isAudited() && !stranger && problem.code() != Problem.Code.TOO_MANY) {
      audit(call, route, entry(call, route, status));
    }
  }

  private static void send(Call call, Route route, Answer answer) {
    if (answer.status() == 0) {
      return;
    }
    Context context = call.context();
    Optional<Pieces> written =
        answer.written().or(() -> answer.body().map(body -> written(call, route, body)));
    call.holding().built(written.map(Pieces::taken).orElse(0L));
    leftover(call, route).read(context);
    context.status(answer.status());
    answer.headers().forEach(context::header);
    Exchange.of(context::attribute).ifPresent(Exchange::answers);
    written.ifPresent(body -> context.contentType(JSON).result(body.read()));
  }

  /** What has been done is answered, whether there is room for the answer or not: it is never large. */
  private static Pieces written(Call call, Route route, JsonNode body) {
    boolean always = route.changes() || route.cost() == Cost.FREE;
    var pieces = new Pieces(bytes -> {
      Outcome outcome =
          route.cost() == Cost.FREE ? Outcome.TAKEN : call.holding().growTo(bytes);
      return always ? Outcome.TAKEN : outcome;
    });
    Outcome outcome = pieces.write(body);
    call.holding().refuse(outcome);
    return pieces;
  }

  /** What no route took: nobody has asked who it is. */
  static void refuse(Context context, Problem problem) {
    refuse(context, problem, Leftover.OF_INTRUDER);
  }

  private static void refuse(Context context, Problem problem, Leftover leftover) {
    leftover.read(context);
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
        who.map(Principal::label).orElseGet(() -> stranger(call.context())),
        who.map(each -> WireName.of(each.role())).orElse(""),
        route.name(),
        target(call, where(call, route)),
        call.from(),
        node,
        status);
  }

  /** A part of a request whose route comes too often to be audited as a whole. */
  private void audit(Call call, Route route, int status, Call.Audited part) {
    Audit.Entry whole = entry(call, route, status);
    switch (part) {
      case Call.Audited.Change(List<String> abouts) ->
        audit(call, route, abouts.stream().map(whole::about).toList());
      case Call.Audited.Submits(String what, int tasks) ->
        submits.record(where(call, route), call.principal().id(), what, tasks, whole);
      case Call.Audited.Refusal(List<String> abouts) ->
        abouts.forEach(about -> refusals.record(
            RefusalAudit.Caller.of(call.principal()),
            where(call, route),
            entry(call, route, Problem.Code.FORBIDDEN.status).about(about)));
    }
  }

  private String stranger(Context context) {
    return gate.lapsed(context).map(who -> who.label() + ", expired").orElse("anonymous");
  }

  private void audit(Call call, Route route, Audit.Entry entry) {
    audit(call, route, List.of(entry));
  }

  /** A change that cannot be written down has happened all the same: the log of the process has it then. */
  private void audit(Call call, Route route, List<Audit.Entry> entries) {
    try {
      audit.write(where(call, route), entries);
    } catch (RuntimeException e) {
      LOG.warn("This change could not be written into the audit log: {}", entries, e);
    }
  }

  /** The log of the namespace that is meant, if there is one of that name and it is not the namespace itself that comes or goes. */
  private String where(Call call, Route route) {
    return Optional.ofNullable(call.context().pathParamMap().get(NAMESPACE))
        .filter(name -> route.permission() != Permission.GLOBAL_ADMIN)
        .flatMap(name -> call.whoever().isPresent() ? call.scope() : scopes.apply(name))
        .orElse(Audit.EVERYWHERE);
  }

  private static String target(Call call, String where) {
    Stream<String> address = call.context().pathParamMap().entrySet().stream()
        .filter(each -> !each.getKey().equals(NAMESPACE) || where.equals(Audit.EVERYWHERE))
        .map(each -> (each.getKey().equals(NAMESPACE) ? "namespace" : each.getKey()) + " "
            + Check.clip(harmless(each.getValue()), PART_CHARS_MAX))
        .sorted();
    return Stream.concat(address, call.about().stream()).collect(Collectors.joining(", "));
  }

  /** Whoever names a token itself where its id was meant must not find it in the log. */
  static String harmless(String value) {
    return value.contains(Tokens.PREFIX) ? "(a token, not shown)" : value;
  }
}
