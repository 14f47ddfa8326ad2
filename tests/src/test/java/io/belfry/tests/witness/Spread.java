package io.belfry.tests.witness;

import java.util.Arrays;

/** Middle, tail and worst of many lengths of time. Threading: confined. */
final class Spread {
  private int[] millis = new int[64];
  private int size;

  void add(long length) {
    if (size == millis.length) {
      millis = Arrays.copyOf(millis, 2 * size);
    }
    millis[size++] = Math.toIntExact(length);
  }

  int size() {
    return size;
  }

  int at(double share) {
    if (size == 0) {
      return 0;
    }
    int[] sorted = Arrays.copyOf(millis, size);
    Arrays.sort(sorted);
    return sorted[Math.min(size - 1, (int) (size * share))];
  }

  @Override
  public String toString() {
    return size == 0
        ? "none"
        : "p50 %,d ms, p99 %,d ms, max %,d ms".formatted(at(0.5), at(0.99), at(1));
  }
}
