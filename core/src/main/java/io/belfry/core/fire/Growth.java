package io.belfry.core.fire;

/** How arrays grow: by half, so that adding stays cheap on average and at most a third is ever unused. Threading: stateless. */
final class Growth {
  private Growth() {}

  static int toHold(int wanted, int length) {
    return Math.max(wanted, length + (length >> 1));
  }
}
