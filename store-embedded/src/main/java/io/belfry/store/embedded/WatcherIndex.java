package io.belfry.store.embedded;

import io.belfry.store.Change;
import io.belfry.store.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Who listens to what, found by space and by key: a step costs what its hearers cost, however many inboxes there are.
 *
 * <p>Threading: confined to the feed's thread.
 */
final class WatcherIndex {
  private final Map<String, SequencedSet<Listener>> bySpace = new HashMap<>();
  private final Map<Key, SequencedSet<Listener>> byKey = new HashMap<>();

  void add(Listener listener) {
    listener
        .feed()
        .key()
        .map(key -> byKey.computeIfAbsent(key, k -> new LinkedHashSet<>()))
        .orElseGet(() ->
            bySpace.computeIfAbsent(listener.feed().space().name(), name -> new LinkedHashSet<>()))
        .add(listener);
  }

  void remove(Listener listener) {
    listener
        .feed()
        .key()
        .ifPresentOrElse(
            key -> byKey.computeIfPresent(key, (k, all) -> without(all, listener)),
            () -> bySpace.computeIfPresent(
                listener.feed().space().name(), (name, all) -> without(all, listener)));
  }

  // A set that became empty leaves its map: map functions say that by null.
  @SuppressWarnings("NullAway")
  private static SequencedSet<Listener> without(SequencedSet<Listener> all, Listener one) {
    all.remove(one);
    return all.isEmpty() ? null : all;
  }

  void hear(Step step) {
    var hearers = new LinkedHashSet<Listener>();
    for (Change change : step.changes()) {
      hearers.addAll(bySpace.getOrDefault(change.key().space().name(), NOBODY));
      hearers.addAll(byKey.getOrDefault(change.key(), NOBODY));
    }
    hearers.forEach(listener -> listener.hear(step));
  }

  private static final SequencedSet<Listener> NOBODY = new LinkedHashSet<>();

  /** All of them, who are then forgotten. */
  List<Listener> leave() {
    var all = new ArrayList<Listener>();
    bySpace.values().forEach(all::addAll);
    byKey.values().forEach(all::addAll);
    bySpace.clear();
    byKey.clear();
    return all;
  }
}
