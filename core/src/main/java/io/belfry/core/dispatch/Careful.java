package io.belfry.core.dispatch;

import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Somebody's own strategy, kept from harming the leader: when it cannot be made, throws, or names a worker that is not a candidate, the
 * task goes to the worker with the fewest tasks instead, and the first time that is said. Errors are caught as well: its name stands in
 * the store, so that what ended one leader would end the next.
 *
 * <p>Threading: confined to the leader loop.
 */
final class Careful implements Strategy {
  private static final Logger LOG = LoggerFactory.getLogger(Careful.class);

  private final String name;
  private final Strategy own;
  private boolean said;

  Careful(String name, Supplier<Strategy> maker) {
    this.name = name;
    this.own = make(maker);
  }

  private Strategy make(Supplier<Strategy> maker) {
    try {
      return Objects.requireNonNull(maker.get(), "its maker made none");
    } catch (RuntimeException | Error e) {
      complain(e);
      return Best.LEAST_TASKS;
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
      complain(new IllegalStateException("it chose " + chosen + ", which is not a candidate"));
    } catch (RuntimeException | Error e) {
      complain(e);
    }
    return Best.LEAST_TASKS.choose(candidates, task, random);
  }

  @Override
  public void ran(Candidate worker, String job, long tookNanos) {
    try {
      own.ran(worker, job, tookNanos);
    } catch (RuntimeException | Error e) {
      complain(e);
    }
  }

  @Override
  public void left(Candidate worker) {
    try {
      own.left(worker);
    } catch (RuntimeException | Error e) {
      complain(e);
    }
  }

  @Override
  public void reset() {
    try {
      own.reset();
    } catch (RuntimeException | Error e) {
      complain(e);
    }
  }

  private void complain(Throwable cause) {
    if (!said) {
      said = true;
      LOG.warn(
          "Strategy '{}' failed; tasks go to the worker with the fewest where it does. Mend it, or set another.",
          name,
          cause);
    }
  }
}
