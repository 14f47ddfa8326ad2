package io.belfry.server.metrics;

import io.belfry.library.Belfry;
import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.store.EngineHealth;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How the engine of a namespace gets on, for Prometheus. What only the engine can tell is asked in the background: a scrape shows what it
 * last answered.
 *
 * <p>Threading: safe.
 */
final class EngineFigures {
  private static final Duration KEPT = Duration.ofSeconds(5);
  private static final String NS = "namespace";

  /** The engine's last answer, and when it was last asked. */
  private static final class Asked {
    private volatile double fullness = Double.NaN;
    private long askedNanos;
  }

  private final Time time;
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();

  EngineFigures(Time time) {
    this.time = time;
  }

  void read(Scrape scrape, String ns, Belfry belfry) {
    read(scrape, ns, belfry.health().engine());
    fullness(scrape, ns, belfry);
  }

  static void read(Scrape scrape, String ns, EngineHealth.View now) {
    scrape.gauge(
        "belfry_engine_up",
        "Whether the engine accepts writes of this node.",
        now.unwritable().isEmpty() ? 1 : 0,
        NS,
        ns);
    scrape.gauge(
        "belfry_engine_commits_in_flight",
        "Commits and grants of leases without an answer.",
        now.inFlight(),
        NS,
        ns);
    scrape.gauge(
        "belfry_engine_oldest_commit_seconds",
        "For how long the oldest of them has waited.",
        now.oldestInFlight().toMillis() / 1e3,
        NS,
        ns);
    scrape.gauge(
        "belfry_engine_last_commit_age_seconds",
        "Since a commit of this node was last answered.",
        now.sinceCommit().toMillis() / 1e3,
        NS,
        ns);
    scrape.counter(
        "belfry_engine_recoveries",
        "Outages of the engine, longer than a second, that are over.",
        now.recoveries(),
        NS,
        ns);
    scrape.counter(
        "belfry_engine_reconnects",
        "Connections to the engine that were given up and made anew.",
        now.reconnects(),
        NS,
        ns);
    now.refusals()
        .forEach((reason, count) -> scrape.counter(
            "belfry_engine_refusals",
            "Commits and grants of leases that failed, by reason.",
            count,
            NS,
            ns,
            "reason",
            WireName.of(reason)));
  }

  /** Shown once the engine has told it. */
  private void fullness(Scrape scrape, String ns, Belfry belfry) {
    Asked known = asked.computeIfAbsent(ns, key -> {
      var first = new Asked();
      first.askedNanos = time.nanos() - KEPT.toNanos();
      return first;
    });
    synchronized (known) {
      if (time.nanos() - known.askedNanos >= KEPT.toNanos()) {
        known.askedNanos = time.nanos();
        var unused = belfry.clusterLater().whenComplete((status, thrown) -> {
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
          "Share of the engine's memory or disk quota that is free; 1 where there is no limit.",
          Math.max(0, 1 - fullness),
          NS,
          ns);
    }
  }
}
