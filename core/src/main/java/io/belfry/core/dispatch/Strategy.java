package io.belfry.core.dispatch;

import java.util.random.RandomGenerator;

/**
 * Chooses the worker for a task. Write your own and register it with {@link Strategies#with}; it is asked for every task on the
 * leader's one thread, so it must not block, and should not allocate.
 */
public interface Strategy {
  /** One of the candidates. */
  Candidate choose(Candidates candidates, WaitingTask<?> task, RandomGenerator random);

  /** A task of that job has run on that worker from start to end, and took so long. */
  default void ran(Candidate worker, String job, long tookNanos) {}

  /** The worker has gone, and its seat may soon be another's. */
  default void left(Candidate worker) {}

  /** Forgets whatever was counted or learned. What {@link Candidate#lastTaken} says is forgotten at the same time. */
  default void reset() {}
}
