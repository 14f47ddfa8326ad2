package io.belfry.store;

import java.util.HashMap;
import java.util.Map;

/**
 * The keys that commits on their way read and write. Two commits clash when one writes what the other reads or writes:
 * etcd evaluates all compares of a transaction before its first write, so in one batch neither would see the other.
 *
 * <p>Threading: confined to the committer's lock.
 */
final class KeysAway {
  private final Map<Key, Integer> read = new HashMap<>();
  private final Map<Key, Integer> written = new HashMap<>();

  boolean clash(Commit commit) {
    for (Write write : commit.writes()) {
      if (written.containsKey(write.key()) || read.containsKey(write.key())) {
        return true;
      }
    }
    for (Guard guard : commit.guards()) {
      if (written.containsKey(guard.key())) {
        return true;
      }
    }
    return false;
  }

  void add(Commit commit) {
    commit.guards().forEach(guard -> read.merge(guard.key(), 1, Integer::sum));
    commit.writes().forEach(write -> written.merge(write.key(), 1, Integer::sum));
  }

  void remove(Commit commit) {
    commit
        .guards()
        .forEach(guard -> read.computeIfPresent(guard.key(), (k, n) -> n == 1 ? null : n - 1));
    commit
        .writes()
        .forEach(write -> written.computeIfPresent(write.key(), (k, n) -> n == 1 ? null : n - 1));
  }
}
