package io.belfry.core.history;

import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets housekeeping skip a record that it cannot process: the record stays, is counted, and is logged once in a term.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class SkippedRecords {
  private static final Logger LOG = LoggerFactory.getLogger(SkippedRecords.class);
  /** Beyond this many different records only the counter grows. */
  static final int LOGGED_MAX = 1000;

  private final RetainCounts counts;
  private final Set<Key> logged = new HashSet<>();

  SkippedRecords(RetainCounts counts) {
    this.counts = counts;
  }

  /** The decoded entry; empty if it cannot be decoded. */
  <T> Optional<T> read(Entry entry, Function<Entry, T> decode) {
    try {
      return Optional.of(decode.apply(entry));
    } catch (RuntimeException e) { // whatever a damaged record leads to
      add(entry.key(), e);
      return Optional.empty();
    }
  }

  /** Skips this record and leaves it in place. */
  void add(Key key, RuntimeException why) {
    counts.passedOver.incrementAndGet();
    if (logged.size() < LOGGED_MAX && logged.add(key)) {
      LOG.warn(
          "{} cannot be processed by the leader's housekeeping and stays in the store; everything else goes on. Upgrade all nodes to one version, or repair or delete the record.",
          key,
          why);
    }
  }
}
