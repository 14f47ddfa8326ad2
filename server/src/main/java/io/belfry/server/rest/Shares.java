package io.belfry.server.rest;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * So many of something for all, of which one caller may hold a share, so that it cannot keep the others waiting. Whoever finds none waits for a
 * moment: most of what is held is given back within milliseconds.
 *
 * <p>Threading: safe. Those who wait for the same are served in the order in which they came; of one caller no more than its share wait for what is
 * everybody's.
 */
final class Shares {
  /** What came of it. */
  enum Outcome {
    TAKEN,
    /** The caller holds its share. */
    SHARE_HELD,
    /** All of it is held, by whomever. */
    ALL_HELD
  }

  private static final class Share {
    private final Semaphore left;
    /** What it holds or waits for. */
    private long wanted;

    private Share(int size) {
      this.left = new Semaphore(size, true);
    }
  }

  private final Time time;
  private final int all;
  private final int each;
  private final Semaphore left;
  private final Map<String, Share> byCaller = new ConcurrentHashMap<>();
  private final LongAdder refusedOfShare = new LongAdder();
  private final LongAdder refusedOfAll = new LongAdder();

  /** All, and of these at most so many for each caller. */
  Shares(int all, int each, Time time) {
    this.time = time;
    this.all = all;
    this.each = each;
    this.left = new Semaphore(all, true);
  }

  /** Takes so many, and waits for them no longer than that. What was taken is {@linkplain #give given back}. */
  Outcome take(String caller, int count, Duration patience) {
    long until = time.nanos() + patience.toNanos();
    Share share = join(caller, count);
    Outcome outcome = take(share, count, until);
    if (outcome != Outcome.TAKEN) {
      part(caller, count);
      (outcome == Outcome.SHARE_HELD ? refusedOfShare : refusedOfAll).increment();
    }
    return outcome;
  }

  private Outcome take(Share share, int count, long until) {
    try {
      if (!share.left.tryAcquire(count, until - time.nanos(), TimeUnit.NANOSECONDS)) {
        return Outcome.SHARE_HELD;
      }
      boolean taken = false;
      try {
        taken = left.tryAcquire(count, until - time.nanos(), TimeUnit.NANOSECONDS);
      } finally {
        if (!taken) {
          share.left.release(count);
        }
      }
      return taken ? Outcome.TAKEN : Outcome.ALL_HELD;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.ALL_HELD;
    }
  }

  void give(String caller, int count) {
    Share share = byCaller.get(caller);
    if (share == null) {
      throw new IllegalStateException("more was given back than was taken");
    }
    left.release(count);
    share.left.release(count);
    part(caller, count);
  }

  private Share join(String caller, int count) {
    return byCaller.compute(caller, (unused, known) -> {
      Share share = known == null ? new Share(each) : known;
      share.wanted += count;
      return share;
    });
  }

  private void part(String caller, int count) {
    byCaller.computeIfPresent(caller, (unused, share) -> {
      share.wanted -= count;
      return share.wanted == 0 ? null : share;
    });
  }

  /** What is held now. */
  int held() {
    return all - left.availablePermits();
  }

  int all() {
    return all;
  }

  int each() {
    return each;
  }

  /** How often a caller found that it held its share. */
  long refusedOfShare() {
    return refusedOfShare.sum();
  }

  /** How often a caller found that all was held. */
  long refusedOfAll() {
    return refusedOfAll.sum();
  }
}
