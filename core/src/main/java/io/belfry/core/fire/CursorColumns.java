package io.belfry.core.fire;

import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Cursors as columns: one primitive array per field instead of six objects per job. Flags tell which optional fields are present. A
 * previous task is nearly always a fire of the job itself, so its instant is enough; only other ids are kept as objects. Threading:
 * confined to the loop that owns it.
 */
final class CursorColumns {
  private static final int LEAST = 16;
  private static final int ACTIVE = 1;
  private static final int HAS_NEXT = 1 << 1;
  private static final int HAS_LAST = 1 << 2;
  private static final int PREVIOUS_IS_FIRE = 1 << 3;

  private long[] revisions = new long[LEAST];
  private long[] generations = new long[LEAST];
  private long[] nexts = new long[LEAST];
  private long[] lasts = new long[LEAST];
  private long[] previousFires = new long[LEAST];
  private @Nullable TaskId[] otherPrevious = new TaskId[LEAST];
  private byte[] flags = new byte[LEAST];

  void set(int slot, JobId job, Cursor cursor, long revision) {
    makeRoomFor(slot);
    revisions[slot] = revision;
    generations[slot] = cursor.generation();
    nexts[slot] = millis(cursor.next());
    lasts[slot] = millis(cursor.last());
    @Nullable TaskId previous = cursor.previous().orElse(null);
    boolean ownFire = previous instanceof TaskId.Fire fire && fire.job().equals(job);
    previousFires[slot] = ownFire ? millis(cursor.previous().flatMap(TaskId::instant)) : 0;
    otherPrevious[slot] = ownFire ? null : previous;
    flags[slot] = (byte) ((cursor.active() ? ACTIVE : 0)
        | (cursor.next().isPresent() ? HAS_NEXT : 0)
        | (cursor.last().isPresent() ? HAS_LAST : 0)
        | (ownFire ? PREVIOUS_IS_FIRE : 0));
  }

  Cursor get(int slot, JobId job) {
    Optional<TaskId> previous = has(slot, PREVIOUS_IS_FIRE)
        ? Optional.of(TaskId.fire(job, Instant.ofEpochMilli(previousFires[slot])))
        : Optional.ofNullable(otherPrevious[slot]);
    return new Cursor(
        generations[slot],
        has(slot, ACTIVE),
        instant(slot, HAS_NEXT, nexts[slot]),
        instant(slot, HAS_LAST, lasts[slot]),
        previous);
  }

  /** The time of its next fire in milliseconds, if it is active and has one. */
  OptionalLong next(int slot) {
    return has(slot, ACTIVE) && has(slot, HAS_NEXT)
        ? OptionalLong.of(nexts[slot])
        : OptionalLong.empty();
  }

  /** Whether it is active, but fires only after its previous task has ended. */
  boolean waits(int slot) {
    return has(slot, ACTIVE)
        && !has(slot, HAS_NEXT)
        && (has(slot, PREVIOUS_IS_FIRE) || otherPrevious[slot] != null);
  }

  long revision(int slot) {
    return revisions[slot];
  }

  void clear(int slot) {
    otherPrevious[slot] = null;
    flags[slot] = 0;
  }

  private boolean has(int slot, int flag) {
    return (flags[slot] & flag) != 0;
  }

  private Optional<Instant> instant(int slot, int flag, long millis) {
    return has(slot, flag) ? Optional.of(Instant.ofEpochMilli(millis)) : Optional.empty();
  }

  private static long millis(Optional<Instant> at) {
    return at.map(Instant::toEpochMilli).orElse(0L);
  }

  private void makeRoomFor(int slot) {
    if (slot < revisions.length) {
      return;
    }
    int length = Growth.toHold(slot + 1, revisions.length);
    revisions = Arrays.copyOf(revisions, length);
    generations = Arrays.copyOf(generations, length);
    nexts = Arrays.copyOf(nexts, length);
    lasts = Arrays.copyOf(lasts, length);
    previousFires = Arrays.copyOf(previousFires, length);
    otherPrevious = Arrays.copyOf(otherPrevious, length);
    flags = Arrays.copyOf(flags, length);
  }
}
