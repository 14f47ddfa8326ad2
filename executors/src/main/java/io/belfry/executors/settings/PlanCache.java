package io.belfry.executors.settings;

import io.belfry.core.record.Weight;
import io.belfry.model.job.ExecutorSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Caches parsed settings, so that they are not parsed for every attempt. Bounded in bytes; when it is full, it is emptied.
 *
 * <p>Threading: safe.
 *
 * @param <P> the parsed settings; immutable
 */
public final class PlanCache<P> {
  /** The most memory for the plans of one executor; one set of settings may have 128 Ki characters. */
  public static final long BYTES_MAX = 16L << 20;

  /** The parsed settings by the settings themselves. */
  private static final int COPIES = 2;

  private static final int BYTES_BESIDE = 200;

  private final long bytesMax;
  private final Map<ExecutorSpec, P> read = new ConcurrentHashMap<>();
  private final Function<ExecutorSpec, P> reading;
  private long bytes;

  /** A cache of {@link #BYTES_MAX}. */
  public PlanCache(Function<ExecutorSpec, P> reading) {
    this(BYTES_MAX, reading);
  }

  PlanCache(long bytesMax, Function<ExecutorSpec, P> reading) {
    this.bytesMax = bytesMax;
    this.reading = reading;
  }

  public P of(ExecutorSpec spec) {
    P known = read.get(spec);
    if (known != null) {
      return known;
    }
    P plan = reading.apply(spec);
    keep(spec, plan);
    return plan;
  }

  private synchronized void keep(ExecutorSpec spec, P plan) {
    long weight = COPIES * Weight.of(spec) + BYTES_BESIDE;
    if (weight > bytesMax) {
      return;
    }
    if (bytes + weight > bytesMax) {
      read.clear();
      bytes = 0;
    }
    if (read.putIfAbsent(spec, plan) == null) {
      bytes += weight;
    }
  }

  /** The memory that it takes now. */
  public synchronized long bytes() {
    return bytes;
  }
}
