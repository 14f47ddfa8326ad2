package io.belfry.tests.witness;

/**
 * Which processes a run has.
 *
 * @param schedulers s1, s2 …
 * @param workers w1, w2 …
 * @param nodes n1, n2 …: each schedules and works
 */
record Shape(int schedulers, int workers, int nodes) {
  /** Schedulers and workers die apart from each other. */
  static final Shape APART = new Shape(3, 3, 0);
  /** The embedded engine belongs to one process. */
  static final Shape LONE = together(1);

  static Shape together(int nodes) {
    return new Shape(0, 0, nodes);
  }
}
