package io.belfry.library;

import io.belfry.core.execute.Executor;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the outbound connections of all executors in the background. Executors may be user code, so they are called on a separate thread, one
 * call at a time: if one hangs or throws, the worker keeps the last count.
 *
 * <p>Threading: safe.
 */
final class ConnectionCount implements IntSupplier {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);

  private final List<Executor> executors;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile int last;
  private boolean warned;

  ConnectionCount(List<Executor> executors) {
    this.executors = executors;
  }

  /** Returns the last count and starts the next one. */
  @Override
  public int getAsInt() {
    if (asking.compareAndSet(false, true)) {
      var unused = Thread.ofVirtual().name("belfry-connections").start(this::ask);
    }
    return last;
  }

  private void ask() {
    try {
      long sum = 0;
      for (Executor executor : executors) {
        sum += count(executor);
      }
      last = (int) Math.min(sum, Integer.MAX_VALUE);
    } finally {
      asking.set(false);
    }
  }

  private int count(Executor executor) {
    try {
      return Math.max(0, executor.connections());
    } catch (RuntimeException | Error e) {
      if (!warned) {
        warned = true;
        LOG.warn(
            "Executor {} failed to count its connections; they count as 0.", executor.type(), e);
      }
      return 0;
    }
  }
}
