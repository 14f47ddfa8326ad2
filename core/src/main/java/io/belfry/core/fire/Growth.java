package io.belfry.core.fire;

/** Array growth: by half, so that adding is O(1) amortized and at most a third is unused. Threading: stateless. */
final class Growth {
  private Growth() {}

  static int toHold(int wanted, int length) {
    return Math.max(wanted, length + (length >> 1));
  }
}
