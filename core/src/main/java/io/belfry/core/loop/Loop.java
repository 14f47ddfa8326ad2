package io.belfry.core.loop;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Runs steps one after another. A step must not block; one that throws ends the loop, because what its actor believes can no longer
 * be trusted.
 *
 * <p>Threading: {@link #post} may be called from any thread, everything else only by steps of the loop.
 */
public interface Loop {

  Time time();

  RandomGenerator random();

  /** The step runs after everything that was posted before it. */
  void post(Runnable step);

  /** The step runs once so much of the stopwatch has passed, unless it is cancelled before. */
  Timer after(Duration delay, Runnable step);

  /**
   * The same for a step that concludes something from silence: it runs behind everything that was posted before the time had passed. The
   * answer may be there already when a loop that was held up gets to its timers.
   */
  default Timer timeout(Duration delay, Runnable step) {
    return new Timeout(this, delay, step);
  }

  /** A step that has not run yet. */
  interface Timer {
    /** It will not run. Safe twice, and after it ran. */
    void cancel();
  }

  /** Hears the answer of a stage as a step of this loop. */
  default <T> void onResult(
      CompletionStage<T> stage, Consumer<T> answer, Consumer<Throwable> failure) {
    var unused = stage.whenComplete((value, thrown) -> post(() -> {
      if (thrown == null) {
        answer.accept(value);
      } else {
        failure.accept(
            thrown instanceof CompletionException && thrown.getCause() != null
                ? thrown.getCause()
                : thrown);
      }
    }));
  }
}
