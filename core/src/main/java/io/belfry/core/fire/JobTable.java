package io.belfry.core.fire;

import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The leader's in-memory table of all jobs: their cursors and timers, about 165 bytes a job. It does not hold definitions; they are
 * read when a job fires.
 *
 * <p>Duplicate and late updates are recognized by their revision: the watch, the first scan and the leader's own commits may report the
 * same change in any order. That also holds for removed jobs, whose revision is kept for a while: for the newest {@value
 * #REMOVED_MAX} of them, which is more than a leader has commits in flight.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class JobTable {
  static final int REMOVED_MAX = 10_000;
  /** Jobs visited per job that may be taken. */
  private static final int VISITS = 50;

  private final JobIndex index = new JobIndex();
  private final CursorColumns cursors = new CursorColumns();
  private final DueTimers timers = new DueTimers();
  private final Map<JobId, Long> removed = new LinkedHashMap<>();

  /** A job that is due according to the table. */
  public record Due(JobId job, Cursor cursor, long revision) {}

  public int size() {
    return index.size();
  }

  /** Removes all jobs and all revisions: the store may now hold older revisions than those known. */
  public void clear() {
    for (int slot = 0; slot < index.slots(); slot++) {
      if (index.isUsed(slot)) {
        takeOut(slot);
      }
    }
    removed.clear();
  }

  /**
   * Stores the cursor, and sets the job's timer from it.
   *
   * @return false if the same or a newer revision was known
   */
  public boolean put(JobId job, Cursor cursor, long revision) {
    int slot = index.find(job);
    if (revision <= known(job, slot)) {
      return false;
    }
    if (slot < 0) {
      removed.remove(job);
      slot = index.add(job);
    }
    cursors.set(slot, job, cursor, revision);
    if (cursor.active() && cursor.next().isPresent()) {
      timers.set(slot, cursor.next().get().toEpochMilli());
    } else {
      timers.clear(slot);
    }
    return true;
  }

  /**
   * Removes the job.
   *
   * @return false if the same or a newer revision was known
   */
  public boolean remove(JobId job, long revision) {
    int slot = index.find(job);
    if (revision <= known(job, slot)) {
      return false;
    }
    if (slot >= 0) {
      takeOut(slot);
    }
    remember(job, revision);
    return slot >= 0;
  }

  public Optional<Cursor> cursor(JobId job) {
    int slot = index.find(job);
    return slot < 0 ? Optional.empty() : Optional.of(cursors.get(slot, job));
  }

  /** The revision of the known cursor. */
  public OptionalLong revision(JobId job) {
    int slot = index.find(job);
    return slot < 0 ? OptionalLong.empty() : OptionalLong.of(cursors.revision(slot));
  }

  /** The time at which the next job is due. */
  public Optional<Instant> next() {
    OptionalLong millis = timers.next();
    return millis.isPresent()
        ? Optional.of(Instant.ofEpochMilli(millis.getAsLong()))
        : Optional.empty();
  }

  /**
   * Passes the jobs that are due to the taker, earliest first, until {@code max} have been taken. A job is not passed again before a newer
   * cursor is put or {@link #wake} is called: the taker must do one of the two.
   *
   * @param taker whether it takes the job; a job that it only postpones costs little, and counts little
   * @return how many were taken
   */
  public int forEachDue(Instant now, int max, Predicate<Due> taker) {
    long millis = now.toEpochMilli();
    int taken = 0;
    for (int visits = 0; taken < max && visits < max * VISITS; visits++) {
      OptionalInt slot = timers.popDue(millis);
      if (slot.isEmpty()) {
        break;
      }
      taken += taker.test(due(slot.getAsInt())) ? 1 : 0;
    }
    return taken;
  }

  /** Passes every job with a next time again when it is due: the previous taker is gone. */
  public void wakeAll() {
    for (int slot = 0; slot < index.slots(); slot++) {
      OptionalLong next = index.isUsed(slot) ? cursors.next(slot) : OptionalLong.empty();
      if (next.isPresent()) {
        timers.set(slot, next.getAsLong());
      }
    }
  }

  /** Visits every active job whose next time is unknown until its previous task has ended. The table must not be changed meanwhile. */
  public void forEachWaiting(Consumer<Due> consumer) {
    for (int slot = 0; slot < index.slots(); slot++) {
      if (index.isUsed(slot) && cursors.waits(slot)) {
        consumer.accept(due(slot));
      }
    }
  }

  /** Passes the job to the taker again at this time, whatever its cursor says: its commit failed, or the rest follows later. */
  public void wake(JobId job, Instant at) {
    int slot = index.find(job);
    if (slot >= 0) {
      timers.set(slot, at.toEpochMilli());
    }
  }

  /** Visits every job, in no particular order. The table must not be changed meanwhile. */
  public void forEach(Consumer<Due> consumer) {
    for (int slot = 0; slot < index.slots(); slot++) {
      if (index.isUsed(slot)) {
        consumer.accept(due(slot));
      }
    }
  }

  private void takeOut(int slot) {
    timers.clear(slot);
    cursors.clear(slot);
    index.remove(slot);
  }

  private Due due(int slot) {
    JobId job = index.id(slot);
    return new Due(job, cursors.get(slot, job), cursors.revision(slot));
  }

  private long known(JobId job, int slot) {
    return slot >= 0 ? cursors.revision(slot) : removed.getOrDefault(job, Long.MIN_VALUE);
  }

  private void remember(JobId job, long revision) {
    removed.remove(job);
    removed.put(job, revision);
    if (removed.size() > REMOVED_MAX) {
      removed.remove(removed.keySet().iterator().next());
    }
  }
}
