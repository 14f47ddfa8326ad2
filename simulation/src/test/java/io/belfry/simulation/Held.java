package io.belfry.simulation;

import io.belfry.store.Key;
import java.util.TreeSet;

/** A lease as the engine keeps it. Threading: confined to its engine. */
final class Held {
  final long id;
  final long ttlNanos;
  final TreeSet<Key> keys = new TreeSet<>();
  long endsAt;
  /** Whether a step of the world is going to look whether it is over. */
  boolean looked;

  Held(long id, long ttlNanos) {
    this.id = id;
    this.ttlNanos = ttlNanos;
  }
}
