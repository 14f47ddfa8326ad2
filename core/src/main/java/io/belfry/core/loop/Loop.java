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
  Timer in(Duration delay, Runnable step);

  /** A step that has not run yet. */
  interface Timer {
    /** It will not run. Safe twice, and after it ran. */
    void cancel();
  }

  /** Hears the answer of a stage as a step of this loop. */
  default <T> void hear(CompletionStage<T> stage, Consumer<T> answer, Consumer<Throwable> failure) {
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
