package io.belfry.store;

import java.time.Duration;

/**
 * Keys written under a lease vanish together when it ends.
 *
 * @param ttl as granted: at least what was asked for
 */
public record Lease(long id, Duration ttl) {
  /** No lease: the key stays until it is deleted. */
  public static final long NONE = 0;

  /** Every adapter checks with this before it asks its engine. */
  public static Duration checked(Duration ttl) {
    if (ttl.compareTo(Limits.LEASE_MIN) < 0 || ttl.compareTo(Limits.LEASE_MAX) > 0) {
      throw new IllegalArgumentException(
          "A lease must last between " + Limits.LEASE_MIN + " and " + Limits.LEASE_MAX
              + ": shorter than its renewals can be trusted, or longer than anybody waits for the dead, but was asked for "
              + ttl + ". Change the lease setting.");
    }
    return ttl;
  }
}
