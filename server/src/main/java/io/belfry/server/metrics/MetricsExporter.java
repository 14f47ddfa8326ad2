package io.belfry.server.metrics;

import io.belfry.core.record.WorkerRecord;
import io.belfry.library.Belfry;
import io.belfry.library.NodeMetrics;
import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.server.access.Audit;
import io.belfry.server.connection.Connections;
import io.belfry.server.node.Namespaces;
import io.belfry.store.EngineHealth;
import io.belfry.store.StoreException;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Exports the metrics of one server in the Prometheus text format. Of the store it reads only the workers, at most every five seconds. The
 * number of label values is bounded.
 *
 * <p>Threading: safe.
 */
public final class MetricsExporter {
  public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private static final Duration WORKERS_KEPT = Duration.ofSeconds(5);
  private static final String NS = "namespace";

  private record Seen(List<WorkerRecord> workers, long at) {}

  private final Namespaces namespaces;
  private final Supplier<EngineHealth.View> system;
  private final Time time;
  private final String version;
  private final ToLongFunction<String> secretsRefused;
  private final Supplier<Connections.View> connections;
  private final Supplier<AnswerMetrics> answers;
  private final EngineMetrics engines;
  private final PrometheusRegistry jvm = new PrometheusRegistry();
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
  private final Map<String, Seen> seen = new ConcurrentHashMap<>();

  /**
   * Creates the exporter of one server.
   *
   * @param system whether the engine accepts the server's own writes
   * @param secretsRefused number of attempts of a namespace that were rejected because of a secret's destinations
   * @param connections of clients to this server
   * @param answers what these take
   */
  public MetricsExporter(
      Namespaces namespaces,
      Supplier<EngineHealth.View> system,
      Time time,
      String version,
      ToLongFunction<String> secretsRefused,
      Supplier<Connections.View> connections,
      Supplier<AnswerMetrics> answers) {
    this.namespaces = namespaces;
    this.system = system;
    this.time = time;
    this.version = version;
    this.secretsRefused = secretsRefused;
    this.connections = connections;
    this.answers = answers;
    this.engines = new EngineMetrics(time);
    JvmMetrics.builder().register(jvm);
  }

  /** Writes the metrics of the namespaces that the caller may see. */
  public void write(OutputStream out, Predicate<String> visible) throws IOException {
    var scrape = new Scrape();
    scrape.gauge("belfry_build_info", "Version of this server. Always 1.", 1, "version", version);
    connections(scrape, connections.get());
    answers.get().write(scrape);
    if (visible.test(Audit.EVERYWHERE)) {
      EngineMetrics.read(scrape, Audit.EVERYWHERE, system.get());
    }
    namespaces.all().forEach((name, belfry) -> {
      if (visible.test(name)) {
        read(scrape, name, belfry);
      }
    });
    writer.write(out, scrape.snapshots(jvm.scrape()), EscapingScheme.UNDERSCORE_ESCAPING);
  }

  private static void connections(Scrape scrape, Connections.View view) {
    view.open()
        .forEach((phase, count) -> scrape.gauge(
            "belfry_http_connections",
            "Number of open client connections by phase: head, body, idle (next request), busy (handler), answer (client reading), discard (refused body).",
            count,
            "phase",
            phase));
    scrape.counter(
        "belfry_http_connections_opened",
        "Number of connections opened by clients.",
        view.opened());
    view.closed()
        .forEach((reason, count) -> scrape.counter(
            "belfry_http_connections_closed",
            "Number of connections closed by the server because of a limit, by reason.",
            count,
            "reason",
            reason));
  }

  private void read(Scrape scrape, String ns, Belfry belfry) {
    NodeMetrics now = belfry.nodeMetrics();
    scrape.gauge(
        "belfry_leader",
        "Whether this node is the leader of the namespace (1) or not (0).",
        now.live().isPresent() ? 1 : 0,
        NS,
        ns);
    scrape.counter(
        "belfry_elections_won",
        "Number of leader elections won by this node.",
        now.electionsWon(),
        NS,
        ns);
    scrape.gauge(
        "belfry_uptime_seconds",
        "Time since this node opened the namespace, in seconds.",
        seconds(now.uptime()),
        NS,
        ns);
    tasks(scrape, ns, now.tasks());
    now.skipped()
        .forEach((reason, count) -> scrape.counter(
            "belfry_fires_skipped",
            "Number of fires skipped, by reason.",
            count,
            NS,
            ns,
            "reason",
            WireName.of(reason)));
    scrape.counter(
        "belfry_events_dropped",
        "Number of events dropped because a listener was too slow, or lost on the way from the leader.",
        now.eventsDropped(),
        NS,
        ns);
    scrape.counter(
        "belfry_reports_rejected",
        "Number of attempt reports rejected because of an outdated fencing token.",
        now.reportsRejected(),
        NS,
        ns);
    scrape.counter(
        "belfry_repairs",
        "Number of cached records that differed from the store and were corrected by the leader.",
        now.repaired(),
        NS,
        ns);
    now.restarts()
        .forEach((part, count) -> scrape.counter(
            "belfry_part_restarts",
            "Number of restarts of a part of this node after an unexpected error.",
            count,
            NS,
            ns,
            "part",
            part));
    scrape.histogram(
        "belfry_scheduling_delay_seconds",
        "Time from when a task was due until its first assignment to a worker, in seconds.",
        now.lateness(),
        NS,
        ns);
    scrape.histogram(
        "belfry_task_run_seconds",
        "Run time of successful attempts, in seconds.",
        now.runTime(),
        NS,
        ns);
    scrape.histogram(
        "belfry_store_commit_seconds",
        "Time from sending a batch of commits to the store until its response, in seconds.",
        now.commits().time(),
        NS,
        ns);
    scrape.histogram(
        "belfry_store_batch_commits",
        "Number of commits in a batch.",
        now.commits().batchSize(),
        NS,
        ns);
    scrape.counter(
        "belfry_store_batches_unanswered",
        "Number of commit batches that failed as a whole or whose outcome is unknown.",
        now.commits().unanswered(),
        NS,
        ns);
    scrape.gauge(
        "belfry_attempts_running",
        "Number of attempts running in this process.",
        now.attemptsRunning(),
        NS,
        ns);
    scrape.counter(
        "belfry_worker_leases_lost",
        "Number of times this node's worker lost its lease because it was not renewed in time.",
        now.leaseLosses().leases(),
        NS,
        ns);
    scrape.counter(
        "belfry_worker_attempts_stopped",
        "Number of attempts stopped by this node's worker because it lost its lease.",
        now.leaseLosses().attemptsStopped(),
        NS,
        ns);
    now.live().ifPresent(live -> {
      live(scrape, ns, live);
      HistoryMetrics.gauges(scrape, ns, now.history());
    });
    HistoryMetrics.counters(scrape, ns, now.history());
    scrape.counter(
        "belfry_idempotency_keys_refused",
        "Number of submissions and triggers refused because task.idempotencyKeysMax was reached.",
        now.keysRefused(),
        NS,
        ns);
    scrape.counter(
        "belfry_secrets_refused",
        "Number of attempts rejected because a secret is not allowed at their destination.",
        secretsRefused.applyAsLong(ns),
        NS,
        ns);
    CacheMetrics.caches(scrape, ns, now.caches());
    engines.read(scrape, ns, belfry);
    workers(scrape, ns, belfry);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static void tasks(Scrape scrape, String ns, NodeMetrics.Tasks tasks) {
    scrape.counter("belfry_tasks_submitted", "Number of tasks created.", tasks.submitted(), NS, ns);
    String ended = "Number of tasks finished, by final state.";
    scrape.counter("belfry_tasks_ended", ended, tasks.completed(), NS, ns, "state", "succeeded");
    scrape.counter("belfry_tasks_ended", ended, tasks.failed(), NS, ns, "state", "failed");
    scrape.counter("belfry_tasks_ended", ended, tasks.cancelled(), NS, ns, "state", "cancelled");
    scrape.counter(
        "belfry_tasks_retried", "Number of attempts followed by a retry.", tasks.retried(), NS, ns);
    scrape.counter(
        "belfry_dispatch_assigned",
        "Number of attempts assigned to a worker.",
        tasks.assigned(),
        NS,
        ns);
    scrape.counter(
        "belfry_dispatch_undone",
        "Number of assigned attempts taken back before their code started.",
        tasks.undone(),
        NS,
        ns);
  }

  private static void live(Scrape scrape, String ns, NodeMetrics.Live live) {
    live.counts()
        .forEach((state, byPriority) -> byPriority.forEach((priority, count) -> scrape.gauge(
            "belfry_tasks",
            "Number of unfinished tasks by state and priority. Reported by the leader.",
            count,
            NS,
            ns,
            "state",
            WireName.of(state),
            "priority",
            WireName.of(priority))));
    live.waitingByQueue()
        .forEach((queue, count) -> scrape.gauge(
            "belfry_queue_depth",
            "Number of waiting tasks by queue. Reported by the leader.",
            count,
            NS,
            ns,
            "queue",
            queue));
    live.unmatchedByQueue()
        .forEach((queue, count) -> scrape.gauge(
            "belfry_tasks_unmatched",
            "Number of tasks that no worker has matched for longer than dispatch.unmatchedAfter, by queue. Reported by the leader.",
            count,
            NS,
            ns,
            "queue",
            queue));
  }

  private void workers(Scrape scrape, String ns, Belfry belfry) {
    List<WorkerRecord> workers = workers(ns, belfry);
    var byStatus = new TreeMap<>(Map.of("online", 0, "draining", 0, "unhealthy", 0));
    long oldest = 0;
    for (WorkerRecord worker : workers) {
      String status = !worker.healthy() ? "unhealthy" : worker.accepting() ? "online" : "draining";
      byStatus.merge(status, 1, Integer::sum);
      oldest =
          Math.max(oldest, Duration.between(worker.heartbeat(), time.wall()).toMillis());
    }
    byStatus.forEach((status, count) -> scrape.gauge(
        "belfry_workers",
        "Number of workers with a lease, by status.",
        count,
        NS,
        ns,
        "status",
        status));
    scrape.gauge(
        "belfry_worker_heartbeat_age_seconds",
        "Age of the oldest worker heartbeat, in seconds.",
        oldest / 1e3,
        NS,
        ns);
  }

  /** Read from the store at most every five seconds; during an outage the last result is used. */
  private List<WorkerRecord> workers(String ns, Belfry belfry) {
    Seen last = seen.getOrDefault(ns, new Seen(List.of(), time.nanos() - WORKERS_KEPT.toNanos()));
    if (time.nanos() - last.at < WORKERS_KEPT.toNanos()
        || belfry.health().engine().unwritable().isPresent()) {
      return last.workers;
    }
    try {
      var fresh = new Seen(belfry.workers(), time.nanos());
      seen.put(ns, fresh);
      return fresh.workers;
    } catch (StoreException e) {
      return last.workers;
    }
  }
}
