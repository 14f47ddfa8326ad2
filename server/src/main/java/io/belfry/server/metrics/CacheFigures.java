package io.belfry.server.metrics;

import io.belfry.library.Readings;

/** What a node keeps in memory to save reads. Threading: stateless. */
final class CacheFigures {
  private static final String NS = "namespace";

  private CacheFigures() {}

  static void caches(Scrape scrape, String ns, Readings.Caches caches) {
    scrape.gauge(
        "belfry_history_filter_cache_bytes",
        "Filters of task ids that this node keeps in memory; at most 32 MiB.",
        caches.historyFilters(),
        NS,
        ns);
    scrape.gauge(
        "belfry_log_cache_bytes",
        "Followed logs that this node keeps in memory; at most 16 MiB.",
        caches.logs(),
        NS,
        ns);
    caches
        .executors()
        .forEach((type, bytes) -> scrape.gauge(
            "belfry_executor_cache_bytes",
            "Settings that an executor of this node has read and keeps in memory; at most 16 MiB.",
            bytes,
            NS,
            ns,
            "executor",
            type));
  }
}
