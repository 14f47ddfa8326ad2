package io.belfry.core.loop;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A loop on a thread of its own.
 *
 * <p>Threading: the thread owns the timers; the mailbox is shared.
 */
public final class ThreadLoop implements Loop, AutoCloseable {
  private static final int STEPS_BEFORE_TIMERS = 256;

  /** Cancelled timers are removed when there are many and they are more than half of all. */
  private static final int CANCELLED_MIN = 1024;

  private final class Alarm implements Timer {
    final long at;
    final long order;

    @Nullable
    Runnable step;

    Alarm(long at, long order, Runnable step) {
      this.at = at;
      this.order = order;
      this.step = step;
    }

    @Override
    public void cancel() {
      if (step != null) {
        step = null;
        cancelled++;
        if (cancelled > CANCELLED_MIN && cancelled > alarms.size() / 2) {
          alarms.removeIf(alarm -> alarm.step == null);
          cancelled = 0;
        }
      }
    }
  }

  private final Time time;
  private final RandomGenerator random;
  private final Consumer<Throwable> broken;
  private final ConcurrentLinkedQueue<Runnable> mailbox = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(
      Comparator.<Alarm>comparingLong(a -> a.at).thenComparingLong(a -> a.order));
  private final Thread thread;
  private long alarmsSet;
  private int cancelled;
  private volatile boolean closed;
  /** Whether the thread may be parked, or is about to be: only then is unparking it necessary, which costs more than a step. */
  private volatile boolean resting;

  /**
   * Starts the loop.
   *
   * @param broken called with the exception of a step; the loop has ended then
   */
  public ThreadLoop(String name, Time time, RandomGenerator random, Consumer<Throwable> broken) {
    this.time = time;
    this.random = random;
    this.broken = broken;
    this.thread = Thread.ofPlatform()
        .name(name)
        .daemon()
        .inheritInheritableThreadLocals(false)
        .unstarted(this::run);
    thread.start();
  }

  @Override
  public Time time() {
    return time;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void post(Runnable step) {
    if (closed) {
      return; // no thread would ever take it out, and callers may go on posting to an ended loop
    }
    mailbox.add(step);
    if (resting) {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public Timer after(Duration delay, Runnable step) {
    var alarm = new Alarm(time.nanos() + delay.toNanos(), alarmsSet++, step);
    alarms.add(alarm);
    return alarm;
  }

  /** Stored timers, including cancelled ones. */
  int alarms() {
    return alarms.size();
  }

  private void run() {
    try {
      while (!closed) {
        ring();
        if (!runSteps()) {
          resting = true;
          if (mailbox.isEmpty()
              && !closed) { // a step posted before resting was set wakes no thread
            rest();
          }
          resting = false;
        }
      }
    } catch (RuntimeException | Error e) {
      closed = true;
      broken.accept(e);
    }
  }

  /** Runs posted steps; whether there were any. */
  private boolean runSteps() {
    for (int i = 0; i < STEPS_BEFORE_TIMERS; i++) {
      Runnable step = mailbox.poll();
      if (step == null || closed) {
        return i > 0;
      }
      step.run();
    }
    return true;
  }

  private void ring() {
    for (Alarm next = alarms.peek();
        next != null && next.at - time.nanos() <= 0 && !closed;
        next = alarms.peek()) {
      alarms.poll();
      Runnable step = next.step;
      next.step = null; // so that a later cancel is not counted
      if (step == null) {
        cancelled--;
      } else {
        step.run();
      }
    }
  }

  private void rest() {
    Alarm next = alarms.peek();
    if (next == null) {
      LockSupport.park(this);
    } else {
      long nanos = next.at - time.nanos();
      if (nanos > 0) {
        LockSupport.parkNanos(this, nanos);
      }
    }
  }

  /** Ends the loop after the current step; returns once it has ended, unless called by the loop itself. Idempotent. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (!thread.equals(Thread.currentThread()) && thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
