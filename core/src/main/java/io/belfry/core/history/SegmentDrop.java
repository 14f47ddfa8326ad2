package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Forgotten;
import io.belfry.core.record.Records;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deletes segments. If tasks in them may have started under a rate limit whose window is not over, the same commit records how far history has
 * been deleted: whoever must know all starts under a rate limit can tell whether they are complete.
 *
 * <p>Every other commit only deletes, so that a full engine can still be emptied. If the engine refuses the record, the tasks are deleted
 * first and the heads stay: a head without its tasks tells the same as the record.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class SegmentDrop implements Drop {
  /** The value of the expiry key of a merged segment; otherwise it is empty. */
  static final byte[] ELSEWHERE = {1};

  /** The longest window is a day; clocks may differ. Tasks that ended before that matter to no rate limit any more. */
  static final Duration RATES_REACH = Duration.ofHours(49);

  private final Time time;

  SegmentDrop(Time time) {
    this.time = time;
  }

  /** Whether deleting the expired segment needs the record. */
  boolean needsNote(Entry expiry) {
    return expiry.value().length == 0 && isRecent(Keys.expiring(expiry.key()));
  }

  /** Whether a window of a rate limit may reach back to the segment with this name. */
  boolean isRecent(String name) {
    return SegmentKeys.end(name) > time.wall().minus(RATES_REACH).toEpochMilli();
  }

  @Override
  public Set<Key> questions(List<Entry> due) {
    return due.stream().anyMatch(this::needsNote) ? Set.of(Keys.FORGOTTEN) : Set.of();
  }

  @Override
  public void addTo(Commit.Builder commit, List<Entry> due, Map<Key, Entry> answers) {
    add(
        due.stream().map(entry -> Keys.expiring(entry.key())).toList(),
        due.stream()
            .filter(this::needsNote)
            .map(entry -> Keys.expiring(entry.key()))
            .toList(),
        commit,
        answers);
  }

  @Override
  public boolean addDeletes(Commit.Builder commit, List<Entry> due) {
    due.forEach(entry -> commit.delete(SegmentKeys.tasks(Keys.expiring(entry.key()))));
    return true;
  }

  /**
   * Adds the deletion of these segments to a commit: three writes for each, and one for the record.
   *
   * @param noted those with tasks that started under a rate limit
   * @param answers the read entries, with the present record
   */
  void add(List<String> names, List<String> noted, Commit.Builder commit, Map<Key, Entry> answers) {
    for (String name : names) {
      commit
          .delete(SegmentKeys.tasks(name))
          .delete(SegmentKeys.head(name))
          .delete(SegmentKeys.count(name));
    }
    Entry note = answers.get(Keys.FORGOTTEN);
    long before = note == null ? Long.MIN_VALUE : lastEnd(note);
    long now = noted.stream().mapToLong(SegmentKeys::end).max().orElse(Long.MIN_VALUE);
    if (now > before) {
      // Two deletions may be concurrent: the later end must not be overwritten by the earlier.
      if (note == null) {
        commit.absent(Keys.FORGOTTEN);
      } else {
        commit.unchanged(note);
      }
      commit.put(Keys.FORGOTTEN, Records.encode(new Forgotten(now)));
    }
  }

  /** A record that cannot be decoded may mean any end up to now. */
  private static long lastEnd(Entry note) {
    try {
      return Records.forgotten(note.value()).lastEnd();
    } catch (DamagedRecordException e) {
      return Long.MAX_VALUE;
    }
  }
}
