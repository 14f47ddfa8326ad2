package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/**
 * Notes when this process stood still, or waited for its store, for longer than a second: on a busy machine a worker may lose its lease by
 * that, and whoever judges must be able to tell it from a worker that lost its lease for nothing.
 *
 * <p>Threading: safe; watches on a thread of its own.
 */
final class Stalls {
  static final String FILE = "stalls";
  private static final long LOOK_NANOS = Duration.ofMillis(200).toNanos();
  private static final Duration LONG = Duration.ofSeconds(1);

  private final Time time = Time.system();

  void watch() {
    Thread.ofPlatform().daemon().name("stalls").start(() -> {
      long last = time.nanos();
      while (!Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(LOOK_NANOS);
        note(last);
        last = time.nanos();
      }
    });
  }

  /** Notes the time since then, by the stopwatch, if it was long. */
  void note(long sinceNanos) {
    Duration length = Duration.ofNanos(time.nanos() - sinceNanos);
    if (length.compareTo(LONG) > 0) {
      Instant to = time.wall();
      append(to.minus(length) + "\t" + to + "\n");
    }
  }

  private static synchronized void append(String line) {
    try {
      Files.writeString(
          Path.of(FILE), line, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("a stall could not be noted", e);
    }
  }
}
