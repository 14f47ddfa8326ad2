package io.belfry.model.time;

import java.time.Instant;

/** The clocks of this machine. Threading: stateless. */
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
