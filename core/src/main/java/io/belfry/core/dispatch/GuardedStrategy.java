package io.belfry.core.dispatch;

import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the leader against a user's own strategy. If the strategy cannot be created, throws, or returns a worker that is not a candidate,
 * the task goes to the worker with the fewest tasks instead, and the first failure is logged. Errors are caught as well: the store holds
 * the strategy's name, so an error that ended one leader would end the next.
 *
 * <p>Threading: confined to the leader loop.
 */
final class GuardedStrategy implements Strategy {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedStrategy.class);

  private final String name;
  private final Strategy own;
  private boolean logged;

  GuardedStrategy(String name, Supplier<Strategy> maker) {
    this.name = name;
    this.own = make(maker);
  }

  private Strategy make(Supplier<Strategy> maker) {
    try {
      return Objects.requireNonNull(maker.get(), "its supplier returned null");
    } catch (RuntimeException | Error e) {
      logOnce(e);
      return Comparisons.LEAST_TASKS;
    }
  }

  @Override
  public Candidate choose(Candidates candidates, WaitingTask<?> task, RandomGenerator random) {
    try {
      Candidate chosen = own.choose(candidates, task, random);
      for (int i = 0; i < candidates.size(); i++) {
        if (candidates.get(i).equals(chosen)) {
          return chosen;
        }
      }
      logOnce(new IllegalStateException("it chose " + chosen + ", which is not a candidate"));
    } catch (RuntimeException | Error e) {
      logOnce(e);
    }
    return Comparisons.LEAST_TASKS.choose(candidates, task, random);
  }

  @Override
  public void ran(Candidate worker, String job, long tookNanos) {
    try {
      own.ran(worker, job, tookNanos);
    } catch (RuntimeException | Error e) {
      logOnce(e);
    }
  }

  @Override
  public void left(Candidate worker) {
    try {
      own.left(worker);
    } catch (RuntimeException | Error e) {
      logOnce(e);
    }
  }

  @Override
  public void reset() {
    try {
      own.reset();
    } catch (RuntimeException | Error e) {
      logOnce(e);
    }
  }

  private void logOnce(Throwable cause) {
    if (!logged) {
      logged = true;
      LOG.warn(
          "Strategy '{}' failed; where it fails, tasks go to the worker with the fewest tasks. Fix it, or set another strategy.",
          name,
          cause);
    }
  }
}
