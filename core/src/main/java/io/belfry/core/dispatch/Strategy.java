package io.belfry.core.dispatch;

import java.util.random.RandomGenerator;

/**
 * Chooses the worker for a task. Write your own and register it with {@link Strategies#with}. It is called for every task on the
 * leader's only thread, so it must not block, and should not allocate.
 */
public interface Strategy {
  /** Returns one of the candidates. */
  Candidate choose(Candidates candidates, WaitingTask<?> task, RandomGenerator random);

  /** A task of that job ran on that worker from start to end in this time. */
  default void ran(Candidate worker, String job, long tookNanos) {}

  /** The worker has left; another worker may get its seat. */
  default void left(Candidate worker) {}

  /** Forgets everything counted or learned. {@link Candidate#lastTaken} is reset at the same time. */
  default void reset() {}
}
