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
 * The leader's memory of all jobs: their cursors and who is due next, about 165 bytes a job. Definitions are not in it; they are
 * read when a job fires.
 *
 * <p>What is told twice or late is recognised by its revision: the watch, the first scan and the leader's own commits may tell the
 * same change in any order. That holds for removed jobs too, whose revision is remembered for a while: for the newest {@value
 * #REMOVED_MAX} of them, which is more than a leader has commits under way.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class JobTable {
  static final int REMOVED_MAX = 10_000;
  /** Jobs that are looked at for each that may be taken. */
  private static final int VISITS = 50;

  private final JobIndex index = new JobIndex();
  private final CursorColumns cursors = new CursorColumns();
  private final DueTimers timers = new DueTimers();
  private final Map<JobId, Long> removed = new LinkedHashMap<>();

  /** A job whose time has come, as far as the table knows. */
  public record Due(JobId job, Cursor cursor, long revision) {}

  public int size() {
    return index.size();
  }

  /** Forgets all jobs and all revisions: what stands in the store may be older than what was known. */
  public void clear() {
    for (int slot = 0; slot < index.slots(); slot++) {
      if (index.isUsed(slot)) {
        takeOut(slot);
      }
    }
    removed.clear();
  }

  /**
   * Takes the cursor in, and sets the job's timer by it.
   *
   * @return false if something newer, or the same, was known
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
   * Takes the job out.
   *
   * @return false if something newer was known
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

  /** Of the cursor that is known. */
  public OptionalLong revision(JobId job) {
    int slot = index.find(job);
    return slot < 0 ? OptionalLong.empty() : OptionalLong.of(cursors.revision(slot));
  }

  /** When the next job is due. */
  public Optional<Instant> next() {
    OptionalLong millis = timers.next();
    return millis.isPresent()
        ? Optional.of(Instant.ofEpochMilli(millis.getAsLong()))
        : Optional.empty();
  }

  /**
   * Hands out jobs that are due by now, earliest first, until {@code max} have been taken. A job that was handed out is not handed out
   * again before a newer cursor is put or {@link #wake} is called: the taker sees to one of them.
   *
   * @param taker whether it takes the job; one that it only puts off costs little, and does not count for much
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

  /** Hands out again, at its time, every job that has one: whoever had taken it is gone. */
  public void wakeAll() {
    for (int slot = 0; slot < index.slots(); slot++) {
      OptionalLong next = index.isUsed(slot) ? cursors.next(slot) : OptionalLong.empty();
      if (next.isPresent()) {
        timers.set(slot, next.getAsLong());
      }
    }
  }

  /** Visits every job that is active and has no next time before its previous task has ended. The table must not be changed meanwhile. */
  public void forEachWaiting(Consumer<Due> consumer) {
    for (int slot = 0; slot < index.slots(); slot++) {
      if (index.isUsed(slot) && cursors.waits(slot)) {
        consumer.accept(due(slot));
      }
    }
  }

  /** Hands the job out again at this time, whatever its cursor says: its commit failed, or the rest is to be released later. */
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
