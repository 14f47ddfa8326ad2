package io.belfry.server.metrics;

import io.belfry.core.record.WorkerRecord;
import io.belfry.library.Belfry;
import io.belfry.library.Readings;
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
 * The metrics of one server. Only the workers of a namespace are scanned, at most once in five seconds. All label values are bounded.
 *
 * <p>Threading: safe.
 */
public final class Figures {
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
  private final EngineFigures engines;
  private final PrometheusRegistry jvm = new PrometheusRegistry();
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
  private final Map<String, Seen> seen = new ConcurrentHashMap<>();

  /**
   * The figures of one server.
   *
   * @param system whether the engine accepts the server's own writes
   * @param secretsRefused attempts of a namespace that were rejected because of a secret's destinations
   * @param connections of clients to this server
   */
  public Figures(
      Namespaces namespaces,
      Supplier<EngineHealth.View> system,
      Time time,
      String version,
      ToLongFunction<String> secretsRefused,
      Supplier<Connections.View> connections) {
    this.namespaces = namespaces;
    this.system = system;
    this.time = time;
    this.version = version;
    this.secretsRefused = secretsRefused;
    this.connections = connections;
    this.engines = new EngineFigures(time);
    JvmMetrics.builder().register(jvm);
  }

  /** Writes the figures of those namespaces that the caller may see. */
  public void write(OutputStream out, Predicate<String> visible) throws IOException {
    var scrape = new Scrape();
    scrape.gauge("belfry_build_info", "The version that runs.", 1, "version", version);
    connections(scrape, connections.get());
    if (visible.test(Audit.EVERYWHERE)) {
      EngineFigures.read(scrape, Audit.EVERYWHERE, system.get());
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
            "Open connections of clients, by what the server waits for: head, body, idle (the next request), busy (its own handler), answer (that the client reads).",
            count,
            "phase",
            phase));
    scrape.counter(
        "belfry_http_connections_opened", "Connections that clients opened.", view.opened());
    view.closed()
        .forEach((reason, count) -> scrape.counter(
            "belfry_http_connections_closed",
            "Connections that the server closed because of a limit, by reason.",
            count,
            "reason",
            reason));
  }

  private void read(Scrape scrape, String ns, Belfry belfry) {
    Readings now = belfry.readings();
    scrape.gauge(
        "belfry_leader",
        "Whether this node leads the namespace.",
        now.live().isPresent() ? 1 : 0,
        NS,
        ns);
    scrape.counter(
        "belfry_elections_won",
        "How often this node became the leader.",
        now.electionsWon(),
        NS,
        ns);
    scrape.gauge(
        "belfry_uptime_seconds",
        "Since this node opened the namespace.",
        seconds(now.uptime()),
        NS,
        ns);
    tasks(scrape, ns, now.tasks());
    now.skipped()
        .forEach((reason, count) -> scrape.counter(
            "belfry_fires_skipped",
            "Due instants that were not fired, by reason.",
            count,
            NS,
            ns,
            "reason",
            WireName.of(reason)));
    scrape.counter(
        "belfry_events_dropped",
        "Events that listeners were too slow for, or that did not arrive.",
        now.eventsDropped(),
        NS,
        ns);
    scrape.counter(
        "belfry_reports_rejected", "Reports under an old token.", now.reportsRejected(), NS, ns);
    scrape.counter(
        "belfry_repairs",
        "Tasks and cursors that the leader believed otherwise than they stood in the store.",
        now.repaired(),
        NS,
        ns);
    now.restarts()
        .forEach((part, count) -> scrape.counter(
            "belfry_part_restarts",
            "How often a part of this node was restarted because a step of it threw.",
            count,
            NS,
            ns,
            "part",
            part));
    scrape.histogram(
        "belfry_scheduling_delay_seconds",
        "From due to given to a worker, for the first time.",
        now.lateness(),
        NS,
        ns);
    scrape.histogram(
        "belfry_task_run_seconds", "Run time of attempts that succeeded.", now.runTime(), NS, ns);
    scrape.histogram(
        "belfry_store_commit_seconds",
        "From sending a lot of commits to its answer.",
        now.commits().time(),
        NS,
        ns);
    scrape.histogram(
        "belfry_store_lot_commits", "Commits in a lot.", now.commits().lotSize(), NS, ns);
    scrape.counter(
        "belfry_store_lots_unanswered",
        "Lots that failed as a whole, or whose outcome is not known.",
        now.commits().unanswered(),
        NS,
        ns);
    scrape.gauge(
        "belfry_attempts_running",
        "Attempts whose code runs in this process.",
        now.attemptsRunning(),
        NS,
        ns);
    scrape.counter(
        "belfry_worker_leases_lost",
        "How often the worker of this node lost its lease: it could not be renewed in time, or had ended.",
        now.leaseLosses().leases(),
        NS,
        ns);
    scrape.counter(
        "belfry_worker_attempts_stopped",
        "Attempts that the worker of this node stopped because it lost its lease.",
        now.leaseLosses().attemptsStopped(),
        NS,
        ns);
    now.live().ifPresent(live -> {
      live(scrape, ns, live);
      history(scrape, ns, now.history());
    });
    scrape.counter(
        "belfry_records_passed_over",
        "Records that housekeeping could not process and left in the store, each time it met one.",
        now.history().recordsPassedOver(),
        NS,
        ns);
    scrape.counter(
        "belfry_history_dropped_early",
        "Packs of finished tasks that were dropped before their time, because history weighed too much.",
        now.history().packsDroppedEarly(),
        NS,
        ns);
    scrape.counter(
        "belfry_rollups_dropped",
        "Figures by job and hour that were not kept, because too many finished tasks waited to be folded.",
        now.history().rollupsDropped(),
        NS,
        ns);
    scrape.counter(
        "belfry_idempotency_keys_refused",
        "Submits and triggers that were refused because there were too many idempotency keys.",
        now.keysRefused(),
        NS,
        ns);
    scrape.counter(
        "belfry_secrets_refused",
        "Attempts rejected because a secret may not be sent where they wanted to send it.",
        secretsRefused.applyAsLong(ns),
        NS,
        ns);
    CacheFigures.caches(scrape, ns, now.caches());
    engines.read(scrape, ns, belfry);
    workers(scrape, ns, belfry);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static void tasks(Scrape scrape, String ns, Readings.Tasks tasks) {
    scrape.counter(
        "belfry_tasks_submitted", "Tasks that came into being.", tasks.submitted(), NS, ns);
    String ended = "Tasks that ended, by how.";
    scrape.counter("belfry_tasks_ended", ended, tasks.completed(), NS, ns, "state", "succeeded");
    scrape.counter("belfry_tasks_ended", ended, tasks.failed(), NS, ns, "state", "failed");
    scrape.counter("belfry_tasks_ended", ended, tasks.cancelled(), NS, ns, "state", "cancelled");
    scrape.counter(
        "belfry_tasks_retried",
        "Attempts after which the task waited again.",
        tasks.retried(),
        NS,
        ns);
    scrape.counter(
        "belfry_dispatch_assigned",
        "Attempts that were given to a worker.",
        tasks.assigned(),
        NS,
        ns);
    scrape.counter(
        "belfry_dispatch_undone",
        "Those that came back although their code had not begun.",
        tasks.undone(),
        NS,
        ns);
  }

  private static void live(Scrape scrape, String ns, Readings.Live live) {
    live.counts()
        .forEach((state, byPriority) -> byPriority.forEach((priority, count) -> scrape.gauge(
            "belfry_tasks",
            "Unfinished tasks, told by the leader.",
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
            "Tasks that wait, told by the leader.",
            count,
            NS,
            ns,
            "queue",
            queue));
    live.unmatchedByQueue()
        .forEach((queue, count) -> scrape.gauge(
            "belfry_tasks_unmatched",
            "Tasks that have waited longer than dispatch.unmatchedAfter and that no worker may take, told by the leader.",
            count,
            NS,
            ns,
            "queue",
            queue));
  }

  private static void history(Scrape scrape, String ns, Readings.Retained history) {
    scrape.gauge(
        "belfry_history_bytes",
        "What all packs of finished tasks weigh, told by the leader.",
        history.bytes(),
        NS,
        ns);
    scrape.gauge(
        "belfry_history_unfolded",
        "Lots of finished tasks that wait to be folded, told by the leader.",
        history.unfolded(),
        NS,
        ns);
    scrape.gauge(
        "belfry_history_unfolded_bytes",
        "What these weigh; not counted beyond 32 MiB.",
        history.unfoldedBytes(),
        NS,
        ns);
    scrape.gauge(
        "belfry_idempotency_keys",
        "Idempotency keys and records of triggers that have not expired, as counted by the leader.",
        history.idempotencyKeys(),
        NS,
        ns);
    scrape.gauge(
        "belfry_rollups",
        "Rollups of a job and an hour or day, as counted by the leader.",
        history.rollups(),
        NS,
        ns);
    scrape.gauge("belfry_rollups_bytes", "Bytes that these take.", history.rollupBytes(), NS, ns);
    scrape.gauge(
        "belfry_skip_records",
        "Records of skipped fires, as counted by the leader.",
        history.skipRecords(),
        NS,
        ns);
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
        "Workers that have a lease, by status.",
        count,
        NS,
        ns,
        "status",
        status));
    scrape.gauge(
        "belfry_worker_heartbeat_age_seconds",
        "Since the last heartbeat of the worker that has been silent for longest.",
        oldest / 1e3,
        NS,
        ns);
  }

  /** Asked of the engine at most every few seconds, however often we are; what was seen last counts while it is away. */
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
