package io.belfry.model.job;

import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;

/**
 * What holds of work that does not say. It is filled in when the work is defined: changing it later changes nothing that was defined.
 *
 * @param timeout of one attempt
 * @param retry not of work that is done at most once
 */
public record WorkDefaults(Duration timeout, RetryPolicy retry) {
  /** What is documented. */
  public static final WorkDefaults USUAL =
      new WorkDefaults(Work.DEFAULT_TIMEOUT, RetryPolicy.DEFAULT);

  /** Whether failed attempts are followed by others, of work that does not say. */
  public RetryPolicy retry(boolean atMostOnce) {
    return atMostOnce ? RetryPolicy.NONE : retry;
  }
}
