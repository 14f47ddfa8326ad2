package io.belfry.server.metrics;

import io.belfry.library.NodeMetrics;

/** Exports the sizes of caches. Threading: stateless. */
final class CacheMetrics {
  private static final String NS = "namespace";

  private CacheMetrics() {}

  static void caches(Scrape scrape, String ns, NodeMetrics.Caches caches) {
    scrape.gauge(
        "belfry_history_filter_cache_bytes",
        "Size of the cache of history filters on this node, in bytes; at most 32 MiB.",
        caches.historyFilters(),
        NS,
        ns);
    scrape.gauge(
        "belfry_log_cache_bytes",
        "Size of the cache of followed task logs on this node, in bytes; at most 16 MiB.",
        caches.logs(),
        NS,
        ns);
    caches
        .executors()
        .forEach((type, bytes) -> scrape.gauge(
            "belfry_executor_cache_bytes",
            "Size of the settings cache of an executor on this node, in bytes; at most 16 MiB.",
            bytes,
            NS,
            ns,
            "executor",
            type));
  }
}
