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
 * Delivers events to callbacks, each on its own virtual thread, so that a slow callback delays neither other callbacks nor a loop.
 *
 * <p>Threading: safe.
 */
final class Events implements Observer {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);

  private final int buffer;
  private final List<Callback<?>> callbacks = new CopyOnWriteArrayList<>();
  /** Held while callbacks are added and removed, until the new subscription was sent: the last one sent must be the newest. */
  private final ReentrantLock changing = new ReentrantLock();

  private boolean closed;
  private final InOrder inOrder = new InOrder(this::offer);
  private final LongAdder dropped = new LongAdder();
  private volatile Consumer<Set<EventKind>> onKindsChanged = kinds -> {};

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

  /** Sets the listener that receives the event kinds of all callbacks whenever they change. */
  void onKindsChanged(Consumer<Set<EventKind>> listener) {
    onKindsChanged = listener;
  }

  private void publishKinds() {
    Set<EventKind> kinds = EnumSet.noneOf(EventKind.class);
    callbacks.forEach(callback -> kinds.addAll(Telling.kinds(callback.type)));
    onKindsChanged.accept(kinds);
  }

  /** Counts events that did not arrive from the leader. */
  void missed(long count) {
    dropped.add(count);
    LOG.warn(
        "{} events from the leader were lost: it published more than the store accepted, or the engine failed.",
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
      publishKinds();
    });
    return () -> change(() -> {
      callback.end();
      if (callbacks.remove(callback)) {
        publishKinds();
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

  /** Stops accepting events and delivers the buffered ones, within the patience. */
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
            "A callback for {} did not return within {} of the shutdown; its buffered events are not delivered.",
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

    /** Called on loop threads: holds the lock only briefly, and never waits for the consumer. */
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

    /** Logs the 1st, 2nd, 4th, 8th … loss, so that a flood of events does not flood the log. */
    private void lose() {
      dropped.increment();
      lost++;
      if (Long.bitCount(lost) == 1) {
        LOG.warn(
            "A callback for {} is too slow: {} events were dropped so far, because its buffer of {} is full."
                + " Make the callback faster, or raise eventBuffer.",
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
        LOG.warn(
            "A callback for {} threw; it stays registered for later events.",
            type.getSimpleName(),
            e);
      }
    }
  }
}
