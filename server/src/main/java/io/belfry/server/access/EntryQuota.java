package io.belfry.server.access;

import java.util.HashMap;
import java.util.Map;

/**
 * Places for entries of the audit log in one span, so that nobody fills it and nobody takes the places of others: so many for each caller,
 * wherever it asks, for each namespace, and for all. Of the last, each namespace has a few whatever the others have taken.
 *
 * <p>Threading: confined to its owner's lock.
 */
final class EntryQuota {
  /**
   * How many there are.
   *
   * @param share of each namespace when {@code all} are taken
   */
  record Limits(int ofCaller, int ofNamespace, int all, int share) {}

  private final Limits limits;
  private final Map<String, Integer> ofCallers = new HashMap<>();
  private final Map<String, Integer> ofNamespaces = new HashMap<>();
  private int all;

  EntryQuota(Limits limits) {
    this.limits = limits;
  }

  /** Takes a place; false: there is none left for this caller, or this namespace. */
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

  /** The next span begins. */
  void clear() {
    ofCallers.clear();
    ofNamespaces.clear();
    all = 0;
  }
}
