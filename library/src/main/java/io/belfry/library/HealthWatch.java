package io.belfry.library;

import io.belfry.core.loop.Loop;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the worker's health check periodically. The check is user code: it runs off the loop, one call at a time. A check that throws or exceeds
 * its timeout counts as unhealthy; it is interrupted, and the next one starts when it has returned.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class HealthWatch {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);

  private final Loop loop;
  private final BooleanSupplier check;
  private final Duration every;
  private final Duration limit;
  private final Consumer<Boolean> onResult;
  private @Nullable Thread asked;
  private long round;
  private boolean stopped;

  HealthWatch(
      Loop loop,
      BooleanSupplier check,
      Duration every,
      Duration limit,
      Consumer<Boolean> onResult) {
    this.loop = loop;
    this.check = check;
    this.every = every;
    this.limit = limit;
    this.onResult = onResult;
  }

  void start() {
    if (stopped) {
      return;
    }
    if (asked == null) {
      ask();
    }
    var unused = loop.after(every, this::start);
  }

  void stop() {
    stopped = true;
    if (asked != null) {
      asked.interrupt();
    }
  }

  private void ask() {
    Thread thread = Thread.ofVirtual().name("belfry-health").unstarted(() -> {
      boolean answer = answer();
      loop.post(() -> answered(answer));
    });
    asked = thread;
    long asking = ++round;
    thread.start();
    var unused = loop.timeout(limit, () -> {
      if (asked != null && asking == round && !stopped) {
        LOG.warn(
            "The health check must return within {}, but did not; the worker counts as unhealthy until it does.",
            limit);
        thread.interrupt();
        onResult.accept(false);
      }
    });
  }

  private boolean answer() {
    try {
      return check.getAsBoolean();
    } catch (RuntimeException | Error e) {
      LOG.warn("The health check threw; the worker counts as unhealthy until it returns true.", e);
      return false;
    }
  }

  private void answered(boolean answer) {
    asked = null;
    if (!stopped) {
      onResult.accept(answer);
    }
  }
}
