package io.belfry.core.execute;

import io.belfry.model.task.Result;

/**
 * Runs attempts of one executor type: {@code local}, {@code http}, your own.
 *
 * <p>Threading: called by many virtual threads at once, each with its own attempt.
 */
public interface Executor extends AutoCloseable {

  /** The type by which tasks select it, such as {@code local}. */
  String type();

  /**
   * Outbound connections that are open now: the measure of the strategy {@code least-connections}. Asked with every heartbeat, on
   * a thread of its own, one call at a time; the heartbeat does not wait for the answer, and sends the last one.
   */
  default int connections() {
    return 0;
  }

  /**
   * Runs one attempt, and returns once nothing of it runs any more. The thread is interrupted when the attempt times out or is
   * cancelled; the executor should then return soon.
   *
   * @throws AttemptException to say which kind of failure it is; any other exception is an error that may be retried
   */
  Result execute(AttemptContext attempt) throws Exception;

  /**
   * Releases its resources. Called once, when its worker has stopped; an attempt that ignored its interruption may still run then.
   */
  @Override
  default void close() {}
}
