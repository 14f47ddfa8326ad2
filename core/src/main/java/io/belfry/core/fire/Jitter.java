package io.belfry.core.fire;

import io.belfry.model.job.JobId;
import java.time.Duration;
import java.time.Instant;

/**
 * How much later than scheduled a fire starts. A hash instead of a random number, so that every leader that plans the same fire computes
 * the same delay. Threading: stateless.
 */
final class Jitter {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Jitter() {}

  /** From zero to {@code jitter}, both included, in whole milliseconds. */
  static Duration offset(JobId job, Instant scheduled, Duration jitter) {
    long millis = jitter.toMillis();
    if (millis <= 0) {
      return Duration.ZERO;
    }
    long hash = mix(mix(job.value().hashCode()) + scheduled.toEpochMilli());
    return Duration.ofMillis(Long.remainderUnsigned(hash, millis + 1));
  }

  /** The finalizer of SplitMix64: every bit of the input affects every bit of the output. */
  static long mix(long bits) {
    long z = bits + GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
