package io.belfry.core.execute;

import io.belfry.model.task.Result;

/**
 * One way to carry out attempts, chosen by the type that a task names: {@code local}, {@code http}, your own.
 *
 * <p>Threading: called by many virtual threads at once, each with its own attempt.
 */
public interface Executor extends AutoCloseable {

  /** The word by which tasks ask for it, such as {@code local}. */
  String type();

  /**
   * Outbound connections that it has open at this moment: what the strategy {@code least-connections} goes by. Asked with every heartbeat, on
   * a thread of its own, one question at a time; the heartbeat does not wait for the answer, and tells the last one.
   */
  default int connections() {
    return 0;
  }

  /**
   * Carries out one attempt, and returns once nothing of it runs any more. It is interrupted when it takes too long or is
   * cancelled, and should then end soon.
   *
   * @throws AttemptException to say what kind of failure it is; anything else thrown is an error that may be tried again
   */
  Result execute(AttemptContext attempt) throws Exception;

  /**
   * Lets go of what it keeps open. Called once, when its worker has stopped; an attempt that ignored its interruption may still run then.
   */
  @Override
  default void close() {}
}
