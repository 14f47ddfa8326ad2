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
 * Buffers the latest events of one namespace for the readers of this server: one subscription for all of them, and a bounded history, so that a
 * reader can resume after a short disconnect. Without readers it unsubscribes, so that the leader need not send events to this node.
 *
 * <p>Threading: safe. Readers wait on virtual threads.
 */
public final class EventHub implements AutoCloseable {
  private static final int KEPT_MAX = 10_000;
  /** What they may take, two bytes for each character. */
  private static final long KEPT_BYTES_MAX = 8 << 20;

  private static final int BATCH_MAX = 500;
  private static final int BATCH_BYTES_MAX = 64 << 10;
  private static final Duration LINGER = Duration.ofMinutes(5);

  /**
   * One event.
   *
   * @param number sequence number, from 1
   * @param json JSON that is sent to readers
   */
  public record Event(long number, String type, Optional<String> job, String json) {
    /** What it takes at most. */
    public int bytes() {
      return 2 * json.length();
    }
  }

  /**
   * A batch of events for a reader.
   *
   * @param missed whether earlier events were already dropped from the buffer
   */
  public record Batch(List<Event> events, boolean missed) {
    /** What its events take at most. */
    public int bytes() {
      return events.stream().mapToInt(Event::bytes).sum();
    }
  }

  private final String name;
  private final Time time;
  private final Function<Consumer<Happening>, Belfry.Subscription> source;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  /** A ring buffer: the event with number n is at n modulo its length. */
  private final @Nullable Event[] kept = new Event[KEPT_MAX];

  private Optional<Belfry.Subscription> subscription = Optional.empty();
  private long first = 1;
  private long last;
  private long bytes;
  private long read;
  private boolean closed;

  /**
   * Creates the hub of a namespace.
   *
   * @param name unique name of this instance: sequence numbers of another instance are invalid here
   */
  public EventHub(String name, Belfry belfry, Time time) {
    this(name, time, consumer -> belfry.on(Happening.class, consumer));
  }

  EventHub(String name, Time time, Function<Consumer<Happening>, Belfry.Subscription> source) {
    this.name = name;
    this.time = time;
    this.source = source;
  }

  /** The unique name of this instance. */
  public String name() {
    return name;
  }

  /** Starts reading: returns the number of the latest event, after which the reader continues. */
  public long begin() {
    lock.lock();
    try {
      read = time.nanos();
      if (subscription.isEmpty() && !closed) {
        subscription = Optional.of(source.apply(this::onEvent));
      }
      return last;
    } finally {
      lock.unlock();
    }
  }

  private void onEvent(Happening happening) {
    String json = EventForm.json(happening).toString();
    lock.lock();
    try {
      last++;
      drop(last);
      var event = new Event(last, EventForm.type(happening), EventForm.job(happening), json);
      kept[index(last)] = event;
      bytes += event.bytes();
      first = Math.max(first, last - KEPT_MAX + 1);
      while (bytes > KEPT_BYTES_MAX && first < last) {
        drop(first++);
      }
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Drops the event with this number, if it is still in the buffer. */
  private void drop(long number) {
    Event event = kept[index(number)];
    if (event != null) {
      bytes -= event.bytes();
      kept[index(number)] = null;
    }
  }

  private static int index(long number) {
    return (int) (number % KEPT_MAX);
  }

  /** Waits for events after this number, at most for the patience. Empty if the hub is closed. */
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
    var events = new ArrayList<Event>();
    long from = Math.max(first, number + 1);
    int sum = 0;
    for (long each = from;
        each <= last && events.size() < BATCH_MAX && sum < BATCH_BYTES_MAX;
        each++) {
      Event event = kept[index(each)];
      if (event != null) {
        events.add(event);
        sum += event.bytes();
      }
    }
    return new Batch(events, number + 1 < first || number > last);
  }

  /** Unsubscribes if there were no readers for a while; a reader that returns later is notified that events may be missing. */
  public void unsubscribeIfIdle() {
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
