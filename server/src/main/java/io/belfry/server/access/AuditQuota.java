package io.belfry.server.access;

import java.util.HashMap;
import java.util.Map;

/**
 * Rate limit for audit log entries within one time window, so that no caller can flood the log or use up the share of others. There is a limit
 * for each caller across namespaces, for each namespace, and in total. Each namespace has a guaranteed share of the total.
 *
 * <p>Threading: confined to its owner's lock.
 */
final class AuditQuota {
  /**
   * The limits.
   *
   * @param ofCaller entries of one caller
   * @param ofNamespace entries of one namespace
   * @param all entries in total
   * @param share guaranteed entries of each namespace, even if {@code all} is used up
   */
  record Limits(int ofCaller, int ofNamespace, int all, int share) {}

  private final Limits limits;
  private final Map<String, Integer> ofCallers = new HashMap<>();
  private final Map<String, Integer> ofNamespaces = new HashMap<>();
  private int all;

  AuditQuota(Limits limits) {
    this.limits = limits;
  }

  /** Takes one entry from the quota; false if the caller or the namespace has none left. */
  boolean take(String caller, String namespace) {
    int own = ofCallers.getOrDefault(caller, 0);
    int together = ofNamespaces.getOrDefault(namespace, 0);
    boolean free = own < limits.ofCaller
        && together < limits.ofNamespace
        && (all < limits.all || together < limits.share);
    if (free) {
      ofCallers.put(caller, own + 1);
      ofNamespaces.put(namespace, together + 1);
      all++;
    }
    return free;
  }

  /** Starts the next time window. */
  void clear() {
    ofCallers.clear();
    ofNamespaces.clear();
    all = 0;
  }
}
