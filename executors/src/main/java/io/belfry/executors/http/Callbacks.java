package io.belfry.executors.http;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.model.task.Result;
import java.net.URI;
import java.util.Optional;

/**
 * Callback URLs, with which targets report the result of long-running work.
 *
 * <p>Threading: safe.
 */
@FunctionalInterface
public interface Callbacks {
  Callbacks NONE = attempt -> Optional.empty();

  /** Opens a callback URL for this attempt; empty if this worker has no address for callbacks. */
  Optional<Callback> open(AttemptContext attempt);

  /** The callback of one attempt. It may arrive before {@link #await} is called. */
  interface Callback extends AutoCloseable {

    /** The callback URL. It is redacted like a secret, because anyone who knows it can end the attempt. */
    URI url();

    /** Waits for the callback and returns the reported result. */
    Result await() throws InterruptedException, AttemptException;

    /** Closes the callback URL. */
    @Override
    void close();
  }
}
