package io.belfry.server.rest;

import io.belfry.model.time.Time;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * So many in a while for each key, refilled evenly. What is remembered is bounded: who has its full allowance is forgotten.
 *
 * <p>Threading: safe.
 */
final class RateLimit {
  private static final int KEYS_MAX = 10_000;

  private final Time time;
  private final double burst;
  private final double perNano;
  private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

  private record Bucket(double left, long at) {}

  /**
   * A limit.
   *
   * @param count in {@code nanos}, and at once
   */
  RateLimit(Time time, int count, long nanos) {
    this.time = time;
    this.burst = count;
    this.perNano = count / (double) nanos;
  }

  /** Takes one, if there is one left. */
  boolean take(String key) {
    return spend(key, 1);
  }

  /** Whether there is one left; takes none. */
  boolean has(String key) {
    return spend(key, 0);
  }

  /** After how many seconds there is one more, at the latest. */
  int secondsEach() {
    return (int) Math.max(1, Math.ceil(1 / perNano / 1e9));
  }

  private boolean spend(String key, int count) {
    if (buckets.size() >= KEYS_MAX && !buckets.containsKey(key)) {
      forgetFull();
    }
    long now = time.nanos();
    boolean[] taken = new boolean[1];
    buckets.compute(key, (unused, before) -> {
      double left = before == null ? burst : filled(before, now);
      taken[0] = left >= Math.max(1, count);
      return new Bucket(taken[0] ? left - count : left, now);
    });
    return taken[0];
  }

  private double filled(Bucket bucket, long now) {
    return Math.min(burst, bucket.left + (now - bucket.at) * perNano);
  }

  /** If nobody has, all are forgotten: somebody tries many keys, and remembering them would be what it is after. */
  private void forgetFull() {
    long now = time.nanos();
    buckets.values().removeIf(bucket -> filled(bucket, now) >= burst);
    if (buckets.size() >= KEYS_MAX) {
      buckets.clear();
    }
  }
}
