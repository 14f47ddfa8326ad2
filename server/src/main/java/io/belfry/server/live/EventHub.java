package io.belfry.server.live;

import io.belfry.core.event.Happening;
import io.belfry.library.Belfry;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What happened lately in one namespace, for those who follow it here: one callback for all of them, and a bounded past, so that a
 * reader who was away for a moment misses nothing. While nobody has read for a while, it does not listen either: the leader need not
 * tell this node anything then.
 *
 * <p>Threading: safe. Readers wait on virtual threads.
 */
public final class EventHub implements AutoCloseable {
  private static final int KEPT_MAX = 10_000;
  private static final int BATCH_MAX = 500;
  private static final Duration LINGER = Duration.ofMinutes(5);

  /**
   * One event.
   *
   * @param number counts them, from 1
   * @param json what is sent
   */
  public record Told(long number, String type, Optional<String> job, String json) {}

  /**
   * What a reader gets.
   *
   * @param missed whether some before these are not kept any more
   */
  public record Batch(List<Told> events, boolean missed) {}

  private final String name;
  private final Time time;
  private final Function<Consumer<Happening>, Belfry.Subscription> source;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  /** The event of number n lies at n modulo its length. */
  private final @Nullable Told[] kept = new Told[KEPT_MAX];

  private Optional<Belfry.Subscription> subscription = Optional.empty();
  private long first = 1;
  private long last;
  private long read;
  private boolean closed;

  /**
   * The hub of a namespace.
   *
   * @param name of this hub's life: numbers of another mean nothing here
   */
  public EventHub(String name, Belfry belfry, Time time) {
    this(name, time, heard -> belfry.on(Happening.class, heard));
  }

  EventHub(String name, Time time, Function<Consumer<Happening>, Belfry.Subscription> source) {
    this.name = name;
    this.time = time;
    this.source = source;
  }

  /** What tells a number of this hub from those of another. */
  public String name() {
    return name;
  }

  /** The number of the last event so far; a reader who begins now goes on from there. */
  public long begin() {
    lock.lock();
    try {
      read = time.nanos();
      if (subscription.isEmpty() && !closed) {
        subscription = Optional.of(source.apply(this::hear));
      }
      return last;
    } finally {
      lock.unlock();
    }
  }

  private void hear(Happening happening) {
    String json = EventForm.json(happening).toString();
    lock.lock();
    try {
      last++;
      kept[index(last)] = new Told(last, EventForm.type(happening), EventForm.job(happening), json);
      first = Math.max(first, last - KEPT_MAX + 1);
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static int index(long number) {
    return (int) (number % KEPT_MAX);
  }

  /** What came after that number; waits for something, but not longer than that. Empty once this is closed. */
  public Optional<Batch> after(long number, Duration patience) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      read = time.nanos();
      long left = patience.toNanos();
      while (!closed && last <= number && left > 0) {
        left = more.awaitNanos(left);
      }
      read = time.nanos();
      return closed ? Optional.empty() : Optional.of(read(number));
    } finally {
      lock.unlock();
    }
  }

  private Batch read(long number) {
    var events = new ArrayList<Told>();
    long from = Math.max(first, number + 1);
    for (long each = from; each <= last && events.size() < BATCH_MAX; each++) {
      Told told = kept[index(each)];
      if (told != null) {
        events.add(told);
      }
    }
    return new Batch(events, number + 1 < first || number > last);
  }

  /** Stops listening if nobody has read for a while; who comes back later is told that something may be missing. */
  public void rest() {
    lock.lock();
    try {
      if (subscription.isPresent() && time.nanos() - read > LINGER.toNanos()) {
        subscription.get().close();
        subscription = Optional.empty();
        last++;
        first = last + 1;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      more.signalAll();
      subscription.ifPresent(Belfry.Subscription::close);
    } finally {
      lock.unlock();
    }
  }
}
