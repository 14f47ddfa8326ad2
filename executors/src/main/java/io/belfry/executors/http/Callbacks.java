package io.belfry.executors.http;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.model.task.Result;
import java.net.URI;
import java.util.Optional;

/**
 * Addresses at which targets tell how long work ended.
 *
 * <p>Threading: safe.
 */
@FunctionalInterface
public interface Callbacks {
  Callbacks NONE = attempt -> Optional.empty();

  /** One address, for this attempt alone; empty if this worker can be reached by nobody. */
  Optional<Callback> open(AttemptContext attempt);

  /** The end of one attempt, told from outside. It may be told before anybody waits for it. */
  interface Callback extends AutoCloseable {

    /** Where to tell it. Whoever knows it may, so that it is handled as a secret. */
    URI url();

    /** Waits for what is told. */
    Result await() throws InterruptedException, AttemptException;

    /** From now on nothing can be told here. */
    @Override
    void close();
  }
}
