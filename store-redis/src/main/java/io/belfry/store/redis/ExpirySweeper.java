package io.belfry.store.redis;

import io.belfry.model.time.Time;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes leases end although nobody renews any: as long as this client has watches or leases it sweeps, four times within
 * the shortest TTL it hears of. With required acknowledgements the sweep also finds out that a primary was cut off, when
 * nothing else is written.
 *
 * <p>Threading: {@code tick} by the link's thread, the counts by any.
 */
final class ExpirySweeper {
  private static final long EVERY_MIN = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long EVERY_MAX = TimeUnit.SECONDS.toNanos(1);

  private final Time time;
  private final Link link;
  private final AtomicInteger reasons = new AtomicInteger();
  private final AtomicBoolean away = new AtomicBoolean();
  private volatile long every = EVERY_MIN;
  private volatile long last;

  ExpirySweeper(Time time, Link link) {
    this.time = time;
    this.link = link;
    this.last = time.nanos();
  }

  /** One more watch or lease. */
  void begin() {
    reasons.incrementAndGet();
  }

  /** One less. */
  void end() {
    reasons.decrementAndGet();
  }

  /** Sweeps when it is time; how long until then. */
  long tick() {
    long now = time.nanos();
    if (now - last >= every && reasons.get() > 0 && away.compareAndSet(false, true)) {
      last = now;
      var unused = link.ask(SWEEP, Call.Effect.READ).whenComplete((ttlMillis, failure) -> {
        every = ttlMillis == null || ttlMillis == 0
            ? EVERY_MAX
            : Math.clamp(TimeUnit.MILLISECONDS.toNanos(ttlMillis) / 4, EVERY_MIN, EVERY_MAX);
        away.set(false);
      });
    }
    return Math.max(EVERY_MIN, every - (now - last));
  }

  private static final ScriptCall<Long> SWEEP = new ScriptCall<>() {
    @Override
    public Scripts verb() {
      return Scripts.SWEEP;
    }

    @Override
    public void arguments(List<byte[]> into) {}

    @Override
    public Long read(List<?> reply) {
      return (Long) reply.get(1);
    }
  };
}
