package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * The machine's clocks, but the calendar is off by what a file says, in milliseconds; looked at every tenth of a second.
 *
 * <p>Threading: safe; a reader may see the step a moment later than another.
 */
final class SteppedTime implements Time {
  private static final long LOOK_NANOS = 100_000_000;

  private final Time time = Time.system();
  private final Path file;
  private volatile long off;
  private volatile long lookedAt = Long.MIN_VALUE;

  SteppedTime(Path file) {
    this.file = file;
  }

  @Override
  public Instant wall() {
    look();
    return time.wall().plusMillis(off);
  }

  @Override
  public long nanos() {
    return time.nanos();
  }

  /** A bug, for {@link Flaw}: whoever sets the calendar sets the stopwatch. */
  Time withStopwatchByCalendar() {
    return new Time() {
      @Override
      public Instant wall() {
        return SteppedTime.this.wall();
      }

      @Override
      public long nanos() {
        look();
        return time.nanos() + off * 1_000_000;
      }
    };
  }

  private void look() {
    long now = time.nanos();
    if (lookedAt != Long.MIN_VALUE && now - lookedAt < LOOK_NANOS) {
      return;
    }
    lookedAt = now;
    try {
      off = Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
    } catch (IOException | NumberFormatException e) {
      // It is being written: the next look reads it.
    }
  }
}
