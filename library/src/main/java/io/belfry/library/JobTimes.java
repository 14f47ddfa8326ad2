package io.belfry.library;

import io.belfry.core.record.Cursor;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a job has come.
 *
 * @param next when it fires next, or should have; empty while it is disabled, waits for its last task to end, or does not go by the clock
 * @param last the newest instant that was fired or skipped
 */
public record JobTimes(Optional<Instant> next, Optional<Instant> last) {
  static final JobTimes NONE = new JobTimes(Optional.empty(), Optional.empty());

  static JobTimes of(Cursor cursor) {
    return new JobTimes(cursor.active() ? cursor.next() : Optional.empty(), cursor.last());
  }
}
