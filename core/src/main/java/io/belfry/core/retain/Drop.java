package io.belfry.core.retain;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one kind of expiry key leads to. May throw on entries that no writer has put there: the caller then tries them one by one.
 *
 * <p>Threading: confined to the leader's loop.
 */
interface Drop {

  /** What must be read before these can be dropped. */
  Set<Key> questions(List<Entry> due);

  /** Adds to a commit what drops them; the expiry keys themselves are in it already. */
  void addTo(Commit.Builder commit, List<Entry> due, Map<Key, Entry> answers);

  /**
   * Adds what may be dropped in a commit that only deletes, for an engine that is full; the expiry keys stay. False if there is no such
   * thing.
   */
  default boolean addDeletes(Commit.Builder commit, List<Entry> due) {
    return false;
  }
}
