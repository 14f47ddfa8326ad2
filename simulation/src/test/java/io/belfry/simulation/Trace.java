package io.belfry.simulation;

import java.util.Objects;

/**
 * The last things that happened, kept as they were noted and put into words only when somebody reads them; and a hash over everything
 * that ever happened, which tells two runs apart.
 *
 * <p>Threading: confined to its world.
 */
final class Trace {
  private record Line(long at, String who, String what, Object about) {}

  private final Line[] ring;
  private long count;
  private long hash = 17;

  Trace(int size) {
    this.ring = new Line[size];
  }

  /**
   * @param about a String, a Number, an Enum's name or a Key: something whose hash does not depend on where it lies in memory
   */
  void note(long at, String who, String what, Object about) {
    ring[(int) (count % ring.length)] = new Line(at, who, what, about);
    count++;
    hash = (hash ^ at) * 0x9E3779B97F4A7C15L;
    hash = (hash ^ who.hashCode()) * 0xBF58476D1CE4E5B9L;
    hash = (hash ^ what.hashCode()) * 0x94D049BB133111EBL;
    hash = Long.rotateLeft(hash ^ about.hashCode(), 23);
  }

  long hash() {
    return hash;
  }

  long count() {
    return count;
  }

  String show() {
    var text = new StringBuilder();
    for (long i = Math.max(0, count - ring.length); i < count; i++) {
      Line line = Objects.requireNonNull(ring[(int) (i % ring.length)]);
      text.append(
          "  %11.6f  %-12s %s %s%n".formatted(line.at / 1e9, line.who, line.what, line.about));
    }
    return text.toString();
  }
}
