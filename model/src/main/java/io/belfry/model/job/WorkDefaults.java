package io.belfry.model.job;

import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;

/**
 * Defaults for work that does not set these values. They are filled in when the work is defined, so that changing them later does not
 * affect existing jobs.
 *
 * @param timeout of one attempt
 * @param retry for work that is not at-most-once
 */
public record WorkDefaults(Duration timeout, RetryPolicy retry) {
  /** The documented defaults. */
  public static final WorkDefaults USUAL =
      new WorkDefaults(Work.DEFAULT_TIMEOUT, RetryPolicy.DEFAULT);

  /** The retry policy of work that does not set one. */
  public RetryPolicy retry(boolean atMostOnce) {
    return atMostOnce ? RetryPolicy.NONE : retry;
  }
}
