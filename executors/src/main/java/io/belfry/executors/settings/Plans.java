package io.belfry.executors.settings;

import io.belfry.model.job.ExecutorSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What was read of settings, so that they are read once and not for every attempt. Bounded: full, it forgets everything.
 *
 * <p>Threading: safe.
 *
 * @param <P> what settings are read into; immutable
 */
public final class Plans<P> {
  private final int most;
  private final Map<ExecutorSpec, P> read = new ConcurrentHashMap<>();
  private final Function<ExecutorSpec, P> reading;

  /**
   * A memory of that size.
   *
   * @param most how many are kept; settings may take 128 Ki characters each
   */
  public Plans(int most, Function<ExecutorSpec, P> reading) {
    this.most = most;
    this.reading = reading;
  }

  public P of(ExecutorSpec spec) {
    P known = read.get(spec);
    if (known != null) {
      return known;
    }
    P plan = reading.apply(spec);
    if (read.size() >= most) {
      read.clear();
    }
    read.put(spec, plan);
    return plan;
  }
}
