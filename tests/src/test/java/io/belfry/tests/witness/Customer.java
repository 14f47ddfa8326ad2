package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import io.belfry.tests.witness.Call.Answer;
import io.belfry.tests.witness.Call.What;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Somebody who submits tasks all through a run, each under a key of its own, and writes down what was asked and answered, and when.
 *
 * <pre>
 *   one in     5   is to begin only after some seconds; every other of those is cancelled meanwhile
 *             10   takes longer than a lease; one in four of those is cancelled while it runs
 *              7   is submitted again although it was acknowledged
 *   of those without an acknowledgement every other is submitted again until it has one; the rest stays open
 * </pre>
 *
 * <p>Threading: one thread asks; what it wrote down is behind one lock.
 */
final class Customer implements AutoCloseable {
  private static final int PAUSE_MILLIS = 100;
  private static final int SHORT_MILLIS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Time time = Time.system();
  private final Counter counter;
  private final RandomGenerator random;
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Call> calls = new ArrayList<>();
  private final List<Wish> open = new ArrayList<>();
  private final List<Cancel> cancels = new ArrayList<>();
  private final Thread thread;
  private int asked;

  private record Wish(Order order, Instant due) {}

  private record Cancel(Wish wish, String task, Instant at) {}

  Customer(Counter counter, RandomGenerator random) {
    this.counter = counter;
    this.random = random;
    this.thread = Thread.ofPlatform().daemon().name("customer").start(this::live);
  }

  private void live() {
    try {
      while (!over.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        next();
        tryOpen();
        cancelDue();
      }
      Instant deadline = time.wall().plus(PATIENCE);
      while (!open.isEmpty() && time.wall().isBefore(deadline)) {
        tryOpen();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void next() {
    int number = ++asked;
    boolean later = number % 5 == 0;
    boolean takesLong = number % 10 == 3;
    int delay = later ? 2000 + random.nextInt(4000) : 0;
    int work = takesLong ? 5000 + random.nextInt(2000) : random.nextInt(SHORT_MILLIS);
    var wish = new Wish(
        new Order("submit-" + number, Duration.ofMillis(work)), time.wall().plusMillis(delay));
    Counter.Reply reply = submit(wish);
    if (reply.answer() != Answer.OK) {
      if (number % 2 == 0) {
        open.add(wish);
      }
      return;
    }
    String task = reply.task().orElseThrow();
    if (number % 7 == 0) {
      submit(wish);
    }
    if (number % 10 == 0 || number % 40 == 3) {
      cancels.add(new Cancel(wish, task, time.wall().plusMillis(random.nextInt(1500))));
    }
  }

  private Counter.Reply submit(Wish wish) {
    Instant invoked = time.wall();
    return note(What.SUBMIT, wish, invoked, counter.submit(wish.order, wish.due));
  }

  private synchronized Counter.Reply note(
      What what, Wish wish, Instant invoked, Counter.Reply reply) {
    calls.add(new Call(
        what, wish.order.key(), wish.due, invoked, time.wall(), reply.answer(), reply.task()));
    return reply;
  }

  private void tryOpen() {
    for (Wish wish : List.copyOf(open)) {
      if (submit(wish).answer() != Answer.OK) {
        return;
      }
      open.remove(wish);
    }
  }

  private void cancelDue() {
    Instant now = time.wall();
    for (Cancel each : List.copyOf(cancels)) {
      if (!each.at.isAfter(now)) {
        cancels.remove(each);
        Instant invoked = time.wall();
        note(What.CANCEL, each.wish, invoked, counter.cancel(each.task));
      }
    }
  }

  synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  /** Ends it; returns once nothing more is asked. */
  void end() {
    over.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized String text() {
    return "submits %s · cancels %s · keys %,d%n"
        .formatted(counts(What.SUBMIT), counts(What.CANCEL), asked);
  }

  private Map<Answer, Integer> counts(What what) {
    var counts = new EnumMap<Answer, Integer>(Answer.class);
    calls.stream()
        .filter(call -> call.what() == what)
        .forEach(call -> counts.merge(call.answer(), 1, Integer::sum));
    return counts;
  }

  @Override
  public void close() {
    end();
  }
}
