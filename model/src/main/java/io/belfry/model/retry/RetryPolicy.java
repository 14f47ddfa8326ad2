package io.belfry.model.retry;

import io.belfry.model.Check;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Whether and when a failed attempt is retried: exponential backoff with a cap and jitter.
 *
 * <p>Failures and rescues are counted separately. A failure (error, timeout) uses one of {@code max}
 * retries. A lost worker is not the task's fault: the task is reassigned at once, even if {@code max} is 0,
 * and no retry is used. This happens at most {@link #rescues()} times, because a task that crashes its
 * workers must not crash all of them.
 *
 * @param max retries after the first attempt; 0 means none
 * @param delay wait before the first retry
 * @param backoff factor from one wait to the next
 * @param cap longest wait
 * @param jitter whether waits are randomized, see {@link #waitAfter}
 * @param on the failures that are retried; without {@code LOST} there is no rescue either
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

  /** No retries; a task whose worker is lost is still rescued. */
  public static final RetryPolicy NONE = DEFAULT.withMax(0);

  public RetryPolicy {
    Check.between("retry.max", max, 0, MAX_RETRIES, "a task that always fails must end");
    Check.between("retry.delay", delay, Duration.ZERO, MAX_WAIT, "a longer wait is not a retry");
    Check.between("retry.cap", cap, Duration.ZERO, MAX_WAIT, "a longer wait is not a retry");
    Check.that(
        backoff >= 1 && backoff <= MAX_BACKOFF, // refuses NaN as well
        "retry.backoff",
        backoff,
        "must lie between 1.0 and " + MAX_BACKOFF
            + ", because each wait is the previous one times this factor",
        "Set retry.backoff to 2.0, or to 1.0 for equal waits.");
    if (cap.compareTo(delay) < 0) {
      throw Check.refusal(
          "retry.cap",
          cap,
          "must not be shorter than retry.delay (" + delay
              + "), because the cap would shorten every wait",
          "Raise retry.cap to " + delay + " or lower retry.delay.");
    }
    Check.that(
        CURABLE.containsAll(on),
        "retry.on",
        on,
        "may contain only error, timeout and lost, because an executor that rejected a task would reject it again",
        "Remove the other values.");
    EnumSet<FailureKind> kinds = EnumSet.noneOf(FailureKind.class);
    kinds.addAll(on);
    on = Collections.unmodifiableSet(kinds);
  }

  /** How many workers one task may lose before it fails. */
  public int rescues() {
    return Math.max(max, RESCUES);
  }

  /**
   * Whether a task is retried after an attempt that failed in this way.
   *
   * @param failed attempts that failed before this one
   * @param lost workers that were lost before this one
   */
  public boolean allows(FailureKind kind, int failed, int lost) {
    return on.contains(kind) && (kind == FailureKind.LOST ? lost < rescues() : failed < max);
  }

  /**
   * The wait after the given number of failures (from 1): {@code delay * backoff^(failures-1)}, never longer than the cap.
   * Jitter adds up to a quarter, so that no retry comes earlier than configured. At the cap, jitter shortens the wait instead.
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

  /** With another first wait. A shorter cap is raised to it, because a user who sets only the delay expects that delay. */
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
