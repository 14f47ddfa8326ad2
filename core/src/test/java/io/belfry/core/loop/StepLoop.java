package io.belfry.core.loop;

import io.belfry.model.time.Time;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/** A loop that runs only when the test calls it, on a clock that moves only then. Threading: confined to its test. */
public final class StepLoop implements Loop {
  private static final class Alarm implements Timer {
    final long at;
    final long order;
    final Runnable step;
    boolean cancelled;

    Alarm(long at, long order, Runnable step) {
      this.at = at;
      this.order = order;
      this.step = step;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  private final ManualTime time;
  private final RandomGenerator random;
  private final Deque<Runnable> mailbox = new ArrayDeque<>();
  private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(
      Comparator.<Alarm>comparingLong(a -> a.at).thenComparingLong(a -> a.order));
  private long set;

  public StepLoop(ManualTime time, RandomGenerator random) {
    this.time = time;
    this.random = random;
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
    mailbox.add(step);
  }

  @Override
  public Timer after(Duration delay, Runnable step) {
    var alarm = new Alarm(time.nanos() + delay.toNanos(), set++, step);
    alarms.add(alarm);
    return alarm;
  }

  /** Like a thread that was suspended for this long: timers that expired come before the mailbox, as on a {@link ThreadLoop}. */
  public void stall(Duration duration) {
    time.advance(duration);
    while (!alarms.isEmpty() && alarms.peek().at <= time.nanos()) {
      Alarm next = alarms.remove();
      if (!next.cancelled) {
        next.step.run();
      }
    }
    run(Duration.ZERO);
  }

  /** Runs steps until this much time has passed. */
  public void run(Duration duration) {
    long end = time.nanos() + duration.toNanos();
    while (true) {
      while (!mailbox.isEmpty()) {
        mailbox.remove().run();
      }
      Alarm next = alarms.peek();
      if (next == null || next.at > end) {
        time.advance(Duration.ofNanos(end - time.nanos()));
        return;
      }
      alarms.remove();
      time.advance(Duration.ofNanos(Math.max(0, next.at - time.nanos())));
      if (!next.cancelled) {
        next.step.run();
      }
    }
  }
}
