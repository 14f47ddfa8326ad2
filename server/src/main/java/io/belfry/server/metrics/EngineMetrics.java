package io.belfry.server.metrics;

import io.belfry.library.Belfry;
import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.store.EngineHealth;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Exports the health of the engine of a namespace. Values that must be requested from the engine are fetched in the background; a scrape
 * shows the last response.
 *
 * <p>Threading: safe.
 */
final class EngineMetrics {
  private static final Duration KEPT = Duration.ofSeconds(5);
  private static final String NS = "namespace";

  /** The last response of the engine, and when it was last requested. */
  private static final class Asked {
    private volatile double fullness = Double.NaN;
    private long askedNanos;
  }

  private final Time time;
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();

  EngineMetrics(Time time) {
    this.time = time;
  }

  void read(Scrape scrape, String ns, Belfry belfry) {
    read(scrape, ns, belfry.health().engine());
    fullness(scrape, ns, belfry);
  }

  static void read(Scrape scrape, String ns, EngineHealth.View now) {
    scrape.gauge(
        "belfry_engine_up",
        "Whether the engine accepts writes from this node (1) or not (0).",
        now.unwritable().isEmpty() ? 1 : 0,
        NS,
        ns);
    scrape.gauge(
        "belfry_engine_commits_in_flight",
        "Number of commits and lease grants in flight.",
        now.inFlight(),
        NS,
        ns);
    scrape.gauge(
        "belfry_engine_oldest_commit_seconds",
        "Age of the oldest commit or lease grant in flight, in seconds.",
        now.oldestInFlight().toMillis() / 1e3,
        NS,
        ns);
    scrape.gauge(
        "belfry_engine_last_commit_age_seconds",
        "Time since the last response to a commit of this node, in seconds.",
        now.sinceCommit().toMillis() / 1e3,
        NS,
        ns);
    scrape.counter(
        "belfry_engine_recoveries",
        "Number of ended engine outages that lasted longer than a second.",
        now.recoveries(),
        NS,
        ns);
    scrape.counter(
        "belfry_engine_reconnects",
        "Number of reconnects to the engine.",
        now.reconnects(),
        NS,
        ns);
    now.refusals()
        .forEach((reason, count) -> scrape.counter(
            "belfry_engine_refusals",
            "Number of failed commits and lease grants, by reason.",
            count,
            NS,
            ns,
            "reason",
            WireName.of(reason)));
  }

  /** Exported once the engine has responded. */
  private void fullness(Scrape scrape, String ns, Belfry belfry) {
    Asked known = asked.computeIfAbsent(ns, key -> {
      var first = new Asked();
      first.askedNanos = time.nanos() - KEPT.toNanos();
      return first;
    });
    synchronized (known) {
      if (time.nanos() - known.askedNanos >= KEPT.toNanos()) {
        known.askedNanos = time.nanos();
        var unused = belfry.clusterAsync().whenComplete((status, thrown) -> {
          if (thrown == null) {
            known.fullness = status.engine().fullness();
          }
        });
      }
    }
    double fullness = known.fullness;
    if (!Double.isNaN(fullness)) {
      scrape.gauge(
          "belfry_engine_room_left_ratio",
          "Free share of the engine's memory or disk quota; 1 if there is no limit.",
          Math.max(0, 1 - fullness),
          NS,
          ns);
    }
  }
}
