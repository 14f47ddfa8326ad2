package io.belfry.model.retry;

import io.belfry.model.Check;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * When a failed attempt is followed by another.
 *
 * <p>Failures and rescues are counted apart. A failure (error, timeout) uses up one of {@code max}
 * retries. A lost worker is not the task's fault: the task is rescued even if {@code max} is 0, at once
 * and without using up a retry, but at most {@link #rescues()} times, because a task that takes its
 * workers down with it must not go through all of them.
 *
 * @param max retries after the first attempt; 0 means none
 * @param delay wait before the first retry
 * @param backoff factor from one wait to the next
 * @param cap longest wait
 * @param jitter whether waits are spread, see {@link #waitAfter}
 * @param on the failures that are worth another try; without {@code LOST} there is no rescue either
 */
public record RetryPolicy(
    int max, Duration delay, double backoff, Duration cap, boolean jitter, Set<FailureKind> on) {

  public static final int MAX_RETRIES = 1000;
  public static final double MAX_BACKOFF = 100;
  public static final Duration MAX_WAIT = Duration.ofDays(30);

  private static final int RESCUES = 3;
  private static final double SPREAD = 1.25;
  private static final Set<FailureKind> CURABLE = Collections.unmodifiableSet(
      EnumSet.of(FailureKind.TIMEOUT, FailureKind.ERROR, FailureKind.LOST));

  public static final RetryPolicy DEFAULT =
      new RetryPolicy(3, Duration.ofSeconds(10), 2.0, Duration.ofMinutes(5), true, CURABLE);

  /** No retries; lost workers are still made up for. */
  public static final RetryPolicy NONE = DEFAULT.withMax(0);

  public RetryPolicy {
    Check.between("retry.max", max, 0, MAX_RETRIES, "a task that fails for ever must end some day");
    Check.between(
        "retry.delay",
        delay,
        Duration.ZERO,
        MAX_WAIT,
        "a retry belongs to its task, not to next season");
    Check.between(
        "retry.cap",
        cap,
        Duration.ZERO,
        MAX_WAIT,
        "a retry belongs to its task, not to next season");
    Check.that(
        backoff >= 1 && backoff <= MAX_BACKOFF, // refuses NaN as well
        "retry.backoff",
        backoff,
        "must lie between 1.0 and " + MAX_BACKOFF
            + ", because each wait is the last one times this",
        "Set retry.backoff to 2.0, or to 1.0 for even waits.");
    if (cap.compareTo(delay) < 0) {
      throw Check.refusal(
          "retry.cap",
          cap,
          "must not be shorter than retry.delay (" + delay + "), because every wait would be cut",
          "Raise retry.cap to " + delay + " or lower retry.delay.");
    }
    Check.that(
        CURABLE.containsAll(on),
        "retry.on",
        on,
        "may name timeout, error and lost, because what an executor rejected it would reject again",
        "Remove the others.");
    EnumSet<FailureKind> kinds = EnumSet.noneOf(FailureKind.class);
    kinds.addAll(on);
    on = Collections.unmodifiableSet(kinds);
  }

  /** How many lost workers one task may leave behind it. */
  public int rescues() {
    return Math.max(max, RESCUES);
  }

  /**
   * Whether a task may be tried again after an attempt that failed like this.
   *
   * @param failed attempts that failed before this one
   * @param lost workers that were lost before this one
   */
  public boolean allows(FailureKind kind, int failed, int lost) {
    return on.contains(kind) && (kind == FailureKind.LOST ? lost < rescues() : failed < max);
  }

  /**
   * How long to wait after the given number of failures (from 1): {@code delay * backoff^(failures-1)},
   * never longer than the cap. Jitter adds up to a quarter, so that nobody is tried earlier than they
   * asked for; where the cap leaves no room above, the spread goes below it instead.
   */
  public Duration waitAfter(int failures, RandomGenerator random) {
    double longest = cap.toMillis();
    double nominal =
        Math.min(longest, delay.toMillis() * Math.pow(backoff, Math.max(0, failures - 1)));
    if (!jitter) {
      return Duration.ofMillis((long) nominal);
    }
    long low = (long) Math.min(nominal, longest / SPREAD);
    long high = (long) Math.min(longest, low * SPREAD);
    return Duration.ofMillis(random.nextLong(low, high + 1));
  }

  public RetryPolicy withMax(int newMax) {
    return new RetryPolicy(newMax, delay, backoff, cap, jitter, on);
  }

  /** Another first wait. A shorter cap follows it: who names only a delay does not mean to cut it. */
  public RetryPolicy withDelay(Duration newDelay) {
    return new RetryPolicy(
        max, newDelay, backoff, cap.compareTo(newDelay) < 0 ? newDelay : cap, jitter, on);
  }

  public RetryPolicy withBackoff(double newBackoff) {
    return new RetryPolicy(max, delay, newBackoff, cap, jitter, on);
  }

  public RetryPolicy withCap(Duration newCap) {
    return new RetryPolicy(max, delay, backoff, newCap, jitter, on);
  }

  public RetryPolicy withJitter(boolean newJitter) {
    return new RetryPolicy(max, delay, backoff, cap, newJitter, on);
  }

  public RetryPolicy withOn(Set<FailureKind> newOn) {
    return new RetryPolicy(max, delay, backoff, cap, jitter, newOn);
  }
}
