package io.belfry.bench.store;

import io.belfry.model.time.Time;
import java.time.Duration;

/** A measured time interval. Threading: safe. */
final class MeasuredInterval {
  private final Time time = Time.system();
  private final long start = time.nanos();
  private final long length;

  MeasuredInterval(Duration length) {
    this.length = length.toNanos();
  }

  boolean lasts() {
    return time.nanos() - start < length;
  }

  double seconds() {
    return (time.nanos() - start) / 1e9;
  }
}
