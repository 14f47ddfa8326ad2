package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Records the events of one or more nodes, so that a test can wait for them.
 *
 * <p>Threading: safe.
 */
final class RecordedEvents {
  static final Duration LONG = Duration.ofSeconds(30);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final List<Happening> all = new ArrayList<>();

  RecordedEvents from(Belfry belfry) {
    belfry.on(Happening.class, this::hear);
    return this;
  }

  /** Records events through a callback for just this type. */
  <H extends Happening> void only(Class<H> type, Belfry belfry) {
    belfry.on(type, this::hear);
  }

  private void hear(Happening happening) {
    lock.lock();
    try {
      all.add(happening);
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  List<Happening> all() {
    lock.lock();
    try {
      return List.copyOf(all);
    } finally {
      lock.unlock();
    }
  }

  /** The first event of this type for the task. */
  <H extends Happening.OfTask> H await(Class<H> type, TaskId task) {
    return await(type, happening -> happening.task().id().equals(task), 1).getFirst();
  }

  /** The first events of this type that match the condition. */
  <H extends Happening> List<H> await(Class<H> type, Predicate<? super H> condition, int count) {
    lock.lock();
    try {
      long left = LONG.toNanos();
      List<H> found = find(type, condition);
      while (found.size() < count) {
        if (left <= 0) {
          throw new AssertionError("Waited " + LONG + " for " + count + " of "
              + type.getSimpleName() + ", but heard only " + all);
        }
        left = more.awaitNanos(left);
        found = find(type, condition);
      }
      return found;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting", e);
    } finally {
      lock.unlock();
    }
  }

  <H extends Happening> List<H> find(Class<H> type, Predicate<? super H> condition) {
    return all().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .filter(condition)
        .toList();
  }

  static <T> T get(java.util.concurrent.CompletableFuture<T> future) throws Exception {
    return future.get(LONG.toNanos(), TimeUnit.NANOSECONDS);
  }

  static Optional<String> worker(Happening.OfTask happening) {
    return happening.task().worker();
  }
}
