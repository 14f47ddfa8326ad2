package io.belfry.server.metrics;

import io.belfry.library.NodeMetrics;

/** Exports the metrics of history and its housekeeping. Threading: stateless. */
final class HistoryMetrics {
  private static final String NS = "namespace";

  private HistoryMetrics() {}

  /** Exports the counters, on every node. */
  static void counters(Scrape scrape, String ns, NodeMetrics.Retained history) {
    scrape.counter(
        "belfry_records_passed_over",
        "Number of times housekeeping skipped a record that it could not process. The record stays in the store.",
        history.recordsSkipped(),
        NS,
        ns);
    scrape.counter(
        "belfry_history_dropped_early",
        "Number of history segments deleted before their retention time because of retain.bytes.",
        history.segmentsDroppedEarly(),
        NS,
        ns);
    scrape.counter(
        "belfry_rollups_dropped",
        "Number of hourly rollups dropped because compaction could not keep up.",
        history.rollupsDropped(),
        NS,
        ns);
  }

  /** Exports the gauges, on the leader. */
  static void gauges(Scrape scrape, String ns, NodeMetrics.Retained history) {
    scrape.gauge(
        "belfry_history_bytes",
        "Size of the history in bytes. Reported by the leader.",
        history.bytes(),
        NS,
        ns);
    scrape.gauge(
        "belfry_history_unfolded",
        "Number of batches of finished tasks that wait for compaction. Reported by the leader.",
        history.unfolded(),
        NS,
        ns);
    scrape.gauge(
        "belfry_history_unfolded_bytes",
        "Size in bytes of the finished tasks that wait for compaction; not measured beyond 32 MiB. Reported by the leader.",
        history.unfoldedBytes(),
        NS,
        ns);
    scrape.gauge(
        "belfry_idempotency_keys",
        "Number of unexpired idempotency keys and trigger records. Reported by the leader.",
        history.idempotencyKeys(),
        NS,
        ns);
    scrape.gauge(
        "belfry_rollups",
        "Number of hourly and daily rollups. Reported by the leader.",
        history.rollups(),
        NS,
        ns);
    scrape.gauge(
        "belfry_rollups_bytes",
        "Size of the rollups in bytes. Reported by the leader.",
        history.rollupBytes(),
        NS,
        ns);
    scrape.gauge(
        "belfry_skip_records",
        "Number of records of skipped fires. Reported by the leader.",
        history.skipRecords(),
        NS,
        ns);
  }
}
