package io.belfry.library;

import io.belfry.core.record.Cursor;
import java.time.Instant;
import java.util.Optional;

/**
 * The next and last fire times of a job.
 *
 * @param next next fire time, which may be overdue; empty if the job is disabled, waits for its previous task to end, or has no time trigger
 * @param last latest fire time that was fired or skipped
 */
public record JobTimes(Optional<Instant> next, Optional<Instant> last) {
  static final JobTimes NONE = new JobTimes(Optional.empty(), Optional.empty());

  static JobTimes of(Cursor cursor) {
    return new JobTimes(cursor.active() ? cursor.next() : Optional.empty(), cursor.last());
  }
}
