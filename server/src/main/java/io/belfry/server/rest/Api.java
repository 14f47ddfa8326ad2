package io.belfry.server.rest;

import io.belfry.library.Belfry;
import io.belfry.model.Check;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.time.Time;
import io.belfry.server.access.Audit;
import io.belfry.server.access.NamespaceRecord;
import io.belfry.server.access.NamespaceRegistry;
import io.belfry.server.access.RefusalAudit;
import io.belfry.server.access.SecretVault;
import io.belfry.server.access.Sessions;
import io.belfry.server.access.SubmitAudit;
import io.belfry.server.access.SubmitRule;
import io.belfry.server.access.Tokens;
import io.belfry.server.callback.CallbackRecords;
import io.belfry.server.connection.ConnectionLimits;
import io.belfry.server.connection.Connections;
import io.belfry.server.live.EventHub;
import io.belfry.server.metrics.MetricsExporter;
import io.belfry.server.node.Namespaces;
import io.belfry.store.EngineHealth;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.server.HttpConfiguration;

/**
 * The server that people and programs talk to.
 *
 * <p>Threading: safe; every request has a virtual thread of its own.
 */
public final class Api implements AutoCloseable {
  private static final int MISSES_PER_FAILURE = 10;
  private static final int HEADER_BYTES_MAX = 16 * 1024;

  /**
   * What it stands on.
   *
   * @param system whether the engine accepts the server's own writes
   * @param ended called after a namespace was deleted
   * @param check refuses what no executor here could carry out
   * @param node name of this node, for the audit log
   * @param version of the program
   * @param openapi the document that describes the routes, as JSON; made when it is asked for
   */
  public record Parts(
      Namespaces namespaces,
      Supplier<EngineHealth.View> system,
      NamespaceRegistry book,
      Runnable ended,
      Tokens tokens,
      Sessions sessions,
      SecretVault vault,
      Audit audit,
      RefusalAudit refusals,
      SubmitAudit submits,
      Function<Belfry, EventHub> hubs,
      CallbackRecords callbacks,
      Consumer<ExecutorSpec> check,
      Time time,
      RetryPolicy retry,
      String node,
      String version,
      Supplier<byte[]> openapi) {}

  /**
   * What is let in.
   *
   * @param url how others reach it, once it listens
   * @param insecure whether it listens elsewhere than on loopback without TLS
   * @param secure whether browsers reach it over TLS, its own or a proxy's
   * @param addresses where requests come from
   * @param submit which executors may be submitted by whom
   * @param answers bytes that answers may take at once; if none are given, a part of the heap
   * @param connections how many clients may be connected, and how slow they may be
   */
  public record Rules(
      long bodyMax,
      int requestsPerSecond,
      int failuresPerMinute,
      boolean metrics,
      boolean metricsAnonymous,
      Supplier<String> url,
      boolean insecure,
      boolean secure,
      ClientAddresses addresses,
      SubmitRule submit,
      Optional<Long> answers,
      ConnectionLimits connections) {}

  private final Javalin javalin;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Route> routes;

  private Api(Parts parts, Rules rules, Listener listener) {
    var gate = new Gate(
        parts.tokens,
        parts.sessions,
        new Gate.Limits(rules.requestsPerSecond, rules.failuresPerMinute, rules.metricsAnonymous),
        new Gate.Arrival(rules.secure, rules.addresses),
        parts.time);
    var connections = new Connections(rules.connections, parts.time);
    var answers = AnswerMemory.of(rules.answers, parts.time);
    this.routes = routes(parts, rules, gate, connections, answers);
    var router = new Router(
        routes,
        new Router.Parts(
            gate,
            parts.audit,
            parts.refusals,
            parts.submits,
            parts.time,
            parts.node,
            rules.bodyMax,
            answers,
            name -> parts.book.current(name).map(NamespaceRecord::scope)));
    this.javalin =
        Javalin.create(config -> configure(config, router, listener, rules, connections));
  }

  private List<Route> routes(
      Parts parts, Rules rules, Gate gate, Connections connections, AnswerMemory answers) {
    var spot = new Spot(parts.namespaces, parts.book);
    var address = new LoginRoutes.Address(rules.url, rules.secure, rules.insecure);
    var problems = new Problems();
    var all = new ArrayList<Route>();
    all.addAll(
        new HealthRoutes(spot, parts.system, parts.time, parts.version, parts.openapi).all());
    all.addAll(new NamespaceRoutes(spot, parts.book, parts.ended).all());
    all.addAll(new JobRoutes(spot, parts.check, parts.time).all());
    all.addAll(new BulkRoutes(spot, problems, parts.check).all());
    all.addAll(new CalendarRoutes(spot).all());
    all.addAll(new TaskRoutes(spot).all());
    all.addAll(new SubmitRoutes(spot, problems, parts.retry, parts.check, rules.submit).all());
    all.addAll(new PreviewRoutes(spot, parts.check, parts.time).all());
    all.addAll(new FigureRoutes(spot, parts.time).all());
    all.addAll(new ClusterRoutes(spot).all());
    if (rules.metrics) {
      var figures = new MetricsExporter(
          parts.namespaces,
          parts.system,
          parts.time,
          parts.version,
          parts.vault::refused,
          connections::view,
          answers::figures);
      all.addAll(new MetricRoutes(spot, figures).all());
    }
    all.addAll(new CallbackRoutes(parts.callbacks, misses(parts, rules)).all());
    all.addAll(new LiveRoutes(spot, parts.hubs, gate, answers, stopped::get).all());
    all.addAll(
        new LoginRoutes(new LoginRoutes.Parts(spot, gate, parts.tokens, parts.sessions, address))
            .all());
    all.addAll(new TokenRoutes(spot, parts.tokens).all());
    all.addAll(new SecretRoutes(spot, parts.vault).all());
    all.addAll(new AuditRoutes(spot, parts.audit).all());
    return List.copyOf(all);
  }

  /** More than failed logins: whoever reports a little too late does nothing wrong. */
  private static RateLimit misses(Parts parts, Rules rules) {
    return new RateLimit(
        parts.time,
        Math.multiplyExact(rules.failuresPerMinute, MISSES_PER_FAILURE),
        Duration.ofMinutes(1).toNanos());
  }

  private static void configure(
      JavalinConfig config,
      Router router,
      Listener listener,
      Rules rules,
      Connections connections) {
    config.concurrency.useVirtualThreads = true;
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.http.maxRequestSize = rules.bodyMax + 1;
    config.http.prefer405over404 = true;
    config.http.compressionStrategy.setAllowedMimeTypes(
        List.of("application/json", "text/", "application/javascript"));
    var headers = new SafeHeaders(rules.secure);
    config.jetty.modifyHttpConfiguration(http -> harden(http, headers, connections));
    config.jetty.modifyServer(server -> server.setErrorHandler(new PlainErrors(headers)));
    config.jetty.addConnector((server, http) -> listener.connector(server, http, connections));
    router.bind(config);
    new UiFiles().bind(config);
  }

  private static void harden(HttpConfiguration http, SafeHeaders headers, Connections connections) {
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(HEADER_BYTES_MAX);
    http.setResponseHeaderSize(HEADER_BYTES_MAX);
    http.addCustomizer((request, unused) -> connections.meter(request));
    http.addCustomizer((request, answer) -> {
      headers.addTo(answer);
      return new PlainMethod(request);
    });
  }

  /** Listens, and returns once it does. */
  public static Api start(Parts parts, Rules rules, Listener listener) {
    var api = new Api(parts, rules, listener);
    try {
      api.javalin.start();
    } catch (JavalinException e) {
      throw Check.refusal(
          "server.listen",
          listener.host() + ":" + listener.port(),
          "must be an address of this machine with a free port (" + cause(e) + ")",
          "Stop what listens there, or choose another with --port; 0 takes a free one.");
    }
    return api;
  }

  private static String cause(Throwable e) {
    return e.getCause() == null ? String.valueOf(e.getMessage()) : cause(e.getCause());
  }

  /** The port that it listens on. */
  public int port() {
    return javalin.port();
  }

  List<Route> routes() {
    return routes;
  }

  /** Takes no more requests, lets those that run finish for a moment, ends streams. */
  @Override
  public void close() {
    stopped.set(true);
    javalin.stop();
  }
}
