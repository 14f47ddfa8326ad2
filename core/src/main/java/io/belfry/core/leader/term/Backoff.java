package io.belfry.core.leader.term;

import java.time.Duration;

/** How long a leader waits before it tries again: the only place with such pauses. Threading: stateless. */
public final class Backoff {
  /** After a refused commit, or a first failed read: what changed is on its way to this leader. */
  public static final Duration SOON = Duration.ofMillis(100);

  /** After a gap of a watch, before all is read again. */
  public static final Duration AFTER_GAP = Duration.ofMillis(200);

  /** While an operator has to repair a record. */
  public static final Duration RARELY = Duration.ofSeconds(10);

  /** After a commit that no store accepts, which is a bug in Belfry. */
  static final Duration AFTER_A_BUG = Duration.ofSeconds(5);

  /** Between reads while the store fails. */
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private Backoff() {}

  /** The pause after a pause. */
  static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
  }
}
