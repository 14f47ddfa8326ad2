package io.belfry.simulation;

import io.belfry.store.Space;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the store keeps stays within its bound, in keys and in bytes of each space, however long the world lasts.
 *
 * <p>Threading: confined to its world.
 */
final class SizeLaw {
  static final String LAW = "I9 the store stays within its bounds";

  /** What a space may take. */
  record Bound(long keys, long bytes) {}

  private final World world;
  private final SimEngine engine;
  private final Map<String, Bound> bounds = new HashMap<>();

  SizeLaw(World world, SimEngine engine) {
    this.world = world;
    this.engine = engine;
  }

  SizeLaw bound(Space space, long keys, long bytes) {
    bounds.put(space.name(), new Bound(keys, bytes));
    return this;
  }

  /** A space that nobody has given a bound must be empty. */
  void check() {
    Map<String, long[]> sizes = new TreeMap<>();
    engine.state().slots().forEach((key, slot) -> {
      long[] size = sizes.computeIfAbsent(key.space().name(), name -> new long[2]);
      size[0]++;
      size[1] += key.name().length + slot.value().length;
    });
    sizes.forEach((space, size) -> {
      Bound bound = bounds.getOrDefault(space, new Bound(0, 0));
      if (size[0] > bound.keys || size[1] > bound.bytes) {
        throw world.violation(
            LAW,
            "space " + space + " holds " + size[0] + " keys and " + size[1] + " bytes, more than "
                + bound);
      }
    });
    world.count("sizes");
  }
}
