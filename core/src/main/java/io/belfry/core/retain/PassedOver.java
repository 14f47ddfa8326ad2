package io.belfry.core.retain;

import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets housekeeping continue behind a record that it cannot process: the record stays, is counted, and is logged once in a term.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class PassedOver {
  private static final Logger LOG = LoggerFactory.getLogger(PassedOver.class);
  /** Beyond so many different records only the counter grows. */
  static final int LOGGED_MAX = 1000;

  private final RetainCounts counts;
  private final Set<Key> logged = new HashSet<>();

  PassedOver(RetainCounts counts) {
    this.counts = counts;
  }

  /** What the entry says; empty if that cannot be told. */
  <T> Optional<T> read(Entry entry, Function<Entry, T> decode) {
    try {
      return Optional.of(decode.apply(entry));
    } catch (RuntimeException e) { // whatever a damaged record leads to
      add(entry.key(), e);
      return Optional.empty();
    }
  }

  /** This record is left where it is. */
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
