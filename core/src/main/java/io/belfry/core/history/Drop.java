package io.belfry.core.history;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deletes what one kind of expiry key refers to. May throw on malformed entries: the caller then retries them one by one.
 *
 * <p>Threading: confined to the leader's loop.
 */
interface Drop {

  /** The keys to be read before these can be deleted. */
  Set<Key> questions(List<Entry> due);

  /** Adds the deletions to a commit, which already deletes the expiry keys themselves. */
  void addTo(Commit.Builder commit, List<Entry> due, Map<Key, Entry> answers);

  /**
   * Adds what can be deleted by a commit that only deletes, for an engine that is full; the expiry keys stay. False if there is
   * nothing.
   */
  default boolean addDeletes(Commit.Builder commit, List<Entry> due) {
    return false;
  }
}
