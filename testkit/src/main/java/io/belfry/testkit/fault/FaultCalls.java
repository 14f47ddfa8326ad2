package io.belfry.testkit.fault;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The calls in flight, each with its deadline.
 *
 * <p>Threading: safe; calls are issued by the test and completed by threads of the store.
 */
final class FaultCalls {
  private final Time time = Time.system();
  private final int most;
  private final Duration limit;
  private final Semaphore free;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, String> open = new ConcurrentHashMap<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();

  FaultCalls(int most, Duration limit) {
    this.most = most;
    this.limit = limit;
    this.free = new Semaphore(most);
  }

  /** Waits until fewer than the maximum are in flight. Fails if none completes in time. */
  void awaitRoom() {
    take(1);
    free.release();
  }

  /** Waits until all are complete. */
  void awaitAll() {
    take(most);
    free.release(most);
  }

  private void take(int permits) {
    try {
      // Each call completes within the limit, and no new one is issued.
      if (!free.tryAcquire(permits, 2 * limit.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new AssertionError("calls without an outcome after " + limit.multipliedBy(2)
            + ", although each must complete within " + limit + ": " + open.values());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while calls were in flight", e);
    }
  }

  /** Handles the outcome of a call, and records a violation if it is late. */
  <T> void follow(
      String what, CompletionStage<T> stage, Consumer<T> answered, Consumer<Throwable> failed) {
    int id = ids.incrementAndGet();
    long start = time.nanos();
    open.put(id, what);
    free.acquireUninterruptibly();
    var unused = stage.whenComplete((answer, failure) -> {
      Duration took = Duration.ofNanos(time.nanos() - start);
      if (took.compareTo(limit) > 0) {
        violations.add(what + " completed after " + took + ", but the limit is " + limit);
      }
      try {
        if (failure == null) {
          answered.accept(answer);
        } else {
          failed.accept(
              failure instanceof CompletionException && failure.getCause() != null
                  ? failure.getCause()
                  : failure);
        }
      } finally {
        open.remove(id);
        free.release();
      }
    });
  }

  void violated(String how) {
    violations.add(how);
  }

  /** Returns and clears the violations so far. */
  Queue<String> violations() {
    return violations;
  }
}
