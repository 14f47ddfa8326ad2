package io.belfry.model.time;

import java.time.Instant;

/** The machine's own clocks. Threading: stateless. */
enum SystemTime implements Time {
  INSTANCE;

  @Override
  public Instant wall() {
    return Instant.now();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
