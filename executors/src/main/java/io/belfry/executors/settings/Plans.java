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
  private static final int PLANS_MAX = 2000;

  private final Map<ExecutorSpec, P> read = new ConcurrentHashMap<>();
  private final Function<ExecutorSpec, P> reading;

  public Plans(Function<ExecutorSpec, P> reading) {
    this.reading = reading;
  }

  public P of(ExecutorSpec spec) {
    P known = read.get(spec);
    if (known != null) {
      return known;
    }
    P plan = reading.apply(spec);
    if (read.size() >= PLANS_MAX) {
      read.clear();
    }
    read.put(spec, plan);
    return plan;
  }
}
