package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.core.event.InOrder;
import io.belfry.core.event.Observer;
import io.belfry.core.event.Telling;
import io.belfry.core.record.EventKind;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what happens to callbacks, each on a virtual thread of its own, so that a slow one delays nobody else and no loop.
 *
 * <p>Threading: safe.
 */
final class Events implements Observer {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);

  private final int buffer;
  private final List<Callback<?>> callbacks = new CopyOnWriteArrayList<>();
  /** Held while callbacks come and go, until what they want has been told: the last word must be the newest. */
  private final ReentrantLock changing = new ReentrantLock();

  private boolean closed;
  private final InOrder inOrder = new InOrder(this::offer);
  private final LongAdder dropped = new LongAdder();
  private volatile Consumer<Set<EventKind>> interest = kinds -> {};

  Events(int buffer) {
    this.buffer = buffer;
  }

  @Override
  public void observed(Happening happening) {
    if (!callbacks.isEmpty()) {
      inOrder.observed(happening);
    }
  }

  private void offer(Happening happening) {
    callbacks.forEach(callback -> callback.offer(happening));
  }

  /** Hears, from now on, what callbacks there are for. */
  void onInterest(Consumer<Set<EventKind>> hears) {
    interest = hears;
  }

  private void tellInterest() {
    Set<EventKind> kinds = EnumSet.noneOf(EventKind.class);
    callbacks.forEach(callback -> kinds.addAll(Telling.kinds(callback.type)));
    interest.accept(kinds);
  }

  /** So many events did not arrive from the leader. */
  void missed(long count) {
    dropped.add(count);
    LOG.warn(
        "{} events did not arrive from the leader: it had more to tell than the store took, or a fault kept them away.",
        count);
  }

  long dropped() {
    return dropped.sum();
  }

  <H extends Happening> Belfry.Subscription on(Class<H> type, Consumer<? super H> consumer) {
    var callback = new Callback<H>(type, consumer);
    change(() -> {
      if (closed) {
        throw new StoreException.Closed();
      }
      callbacks.add(callback);
      callback.thread.start();
      tellInterest();
    });
    return () -> change(() -> {
      callback.end();
      if (callbacks.remove(callback)) {
        tellInterest();
      }
    });
  }

  private void change(Runnable step) {
    changing.lock();
    try {
      step.run();
    } finally {
      changing.unlock();
    }
  }

  /** Nothing new is taken; what waits is delivered, as far as the patience lasts. */
  void close(Duration patience) throws InterruptedException {
    List<Callback<?>> all = new ArrayList<>();
    change(() -> {
      closed = true;
      all.addAll(callbacks);
      callbacks.clear();
    });
    all.forEach(Callback::end);
    for (Callback<?> callback : all) {
      if (!callback.thread.equals(Thread.currentThread()) && !callback.thread.join(patience)) {
        LOG.warn(
            "A callback for {} did not return within {} of the stop; what waited for it is not delivered.",
            callback.type.getSimpleName(),
            patience);
      }
    }
  }

  private final class Callback<H extends Happening> {
    final Class<H> type;
    final Consumer<? super H> consumer;
    final Thread thread = Thread.ofVirtual()
        .name("belfry-callback")
        .inheritInheritableThreadLocals(false)
        .unstarted(this::run);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<H> waiting = new ArrayDeque<>();
    private boolean ended;
    private long lost;

    Callback(Class<H> type, Consumer<? super H> consumer) {
      this.type = type;
      this.consumer = consumer;
    }

    /** Called by loops: holds the lock for a moment only, and never waits for the consumer. */
    void offer(Happening happening) {
      if (!type.isInstance(happening)) {
        return;
      }
      lock.lock();
      try {
        if (ended) {
          return;
        }
        if (waiting.size() < buffer) {
          waiting.add(type.cast(happening));
          changed.signal();
        } else {
          lose();
        }
      } finally {
        lock.unlock();
      }
    }

    /** Said at the 1st, 2nd, 4th, 8th … time: an operator learns of a flood without one in the log. */
    private void lose() {
      dropped.increment();
      lost++;
      if (Long.bitCount(lost) == 1) {
        LOG.warn(
            "A callback for {} is too slow: {} events were dropped so far, because {} wait already."
                + " Do less in it, or raise eventBuffer.",
            type.getSimpleName(),
            lost,
            buffer);
      }
    }

    void end() {
      lock.lock();
      try {
        ended = true;
        changed.signal();
      } finally {
        lock.unlock();
      }
    }

    private void run() {
      Optional<H> next = next();
      while (next.isPresent()) {
        deliver(next.get());
        next = next();
      }
    }

    private Optional<H> next() {
      lock.lock();
      try {
        while (waiting.isEmpty() && !ended) {
          changed.awaitUninterruptibly();
        }
        return Optional.ofNullable(waiting.poll());
      } finally {
        lock.unlock();
      }
    }

    private void deliver(H happening) {
      try {
        consumer.accept(happening);
      } catch (RuntimeException | Error e) {
        LOG.warn("A callback for {} threw; it will be called again.", type.getSimpleName(), e);
      }
    }
  }
}
