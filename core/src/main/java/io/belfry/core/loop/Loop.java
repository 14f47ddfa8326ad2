package io.belfry.core.loop;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Runs steps one after another. A step must not block; an exception in a step ends the loop, because the state of its actor can no longer
 * be trusted.
 *
 * <p>Threading: {@link #post} may be called from any thread, everything else only by steps of the loop.
 */
public interface Loop {

  Time time();

  RandomGenerator random();

  /** Runs the step after everything that was posted before it. */
  void post(Runnable step);

  /** Runs the step after this delay on the monotonic clock, unless it is cancelled before. */
  Timer after(Duration delay, Runnable step);

  /**
   * A timer for a step that acts on a missing answer: it runs after everything that was posted before the delay had passed. When a loop
   * that was held up gets to its timers, the answer may already be in its mailbox.
   */
  default Timer timeout(Duration delay, Runnable step) {
    return new Timeout(this, delay, step);
  }

  /** A step that has not run yet. */
  interface Timer {
    /** Cancels the step. Idempotent, also after it ran. */
    void cancel();
  }

  /** Handles the result of a stage as a step of this loop. */
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
