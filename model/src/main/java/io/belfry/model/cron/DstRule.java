package io.belfry.model.cron;

/**
 * What happens to a fire at a fixed hour when the clocks change. Expressions whose hour field is
 * {@code *} or a step follow elapsed time and never need this rule.
 *
 * @param gap what to do with a nominal time that the clocks jump over
 * @param repeat what to do with a nominal time that the clocks show twice
 */
public record DstRule(Gap gap, Repeat repeat) {

  /** Exactly one fire for each nominal time: after the gap, and at the first of the two repeats. */
  public static final DstRule DEFAULT = new DstRule(Gap.NEXT, Repeat.FIRST);

  /** For a nominal time that does not exist that day. */
  public enum Gap {
    /** Fire at the first valid instant after the gap. */
    NEXT,
    /** Do not fire for it. */
    SKIP
  }

  /** For a nominal time that exists twice that day. */
  public enum Repeat {
    /** Fire the first time the clock shows it. */
    FIRST,
    /** Fire the second time the clock shows it. */
    SECOND,
    /** Fire both times. */
    BOTH
  }
}
