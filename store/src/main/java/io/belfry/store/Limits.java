package io.belfry.store;

import java.time.Duration;
import java.util.Collection;

/**
 * The bounds of the store, the same on every engine so that nothing works on one and fails on another. They follow from
 * etcd: 128 operations and 1.5 MiB in one transaction.
 */
public final class Limits {
  public static final int KEY_BYTES_MAX = 1024;
  public static final int VALUE_BYTES_MAX = 1 << 20;
  public static final int GUARDS_MAX = 110;
  public static final int WRITES_MAX = 110;
  /** Keys of guards, keys of writes and values of one commit. */
  public static final int COMMIT_BYTES_MAX = VALUE_BYTES_MAX + (256 << 10);

  public static final int GET_KEYS_MAX = 1000;
  public static final int SCAN_ENTRIES_MAX = 1000;
  /** A page ends early when it has grown this large. */
  public static final int PAGE_BYTES_MAX = 1 << 20;

  /** Commits that may wait for a batch; one more is refused as overload. */
  public static final int WAITING_MAX = 100_000;

  /** What they may weigh together. */
  public static final long WAITING_BYTES_MAX = 256L << 20;

  public static final Duration LEASE_MIN = Duration.ofSeconds(1);
  public static final Duration LEASE_MAX = Duration.ofMinutes(10);

  private Limits() {}

  /** Every adapter checks with this before it reads. */
  public static <C extends Collection<Key>> C checkedKeys(C keys) {
    if (keys.size() > GET_KEYS_MAX) {
      throw new TooLargeException("A get", keys.size(), GET_KEYS_MAX, "keys");
    }
    return keys;
  }
}
