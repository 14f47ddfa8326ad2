package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.PackKeys;
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
 * Drops packs. Where something in them may have been begun under a rate whose window is not over, the same commit notes how far history has
 * been forgotten: whoever must know all that was begun under a rate can tell whether it is all there.
 *
 * <p>Every other drop only deletes, so that an engine that is full can still be emptied. If it refuses the note, the tasks go first and the
 * heads stay: a head without its tasks says the same as the note.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class PackDrop implements Drop {
  /** That what is in a pack lies in a larger one as well, in the place of an empty value at its expiry. */
  static final byte[] ELSEWHERE = {1};

  /** The longest window is a day; clocks may differ. What ended before that concerns no rate any more. */
  static final Duration RATES_REACH = Duration.ofHours(49);

  private final Time time;

  PackDrop(Time time) {
    this.time = time;
  }

  /** Whether a pack whose time is over needs the note. */
  boolean needsNote(Entry expiry) {
    return expiry.value().length == 0 && isRecent(Keys.expiring(expiry.key()));
  }

  /** Whether a window of a rate may reach back to what is in the pack of this name. */
  boolean isRecent(String name) {
    return PackKeys.end(name) > time.wall().minus(RATES_REACH).toEpochMilli();
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
    due.forEach(entry -> commit.delete(PackKeys.tasks(Keys.expiring(entry.key()))));
    return true;
  }

  /**
   * Adds to a commit what drops these packs: three writes for each, and one for the note.
   *
   * @param noted those of them with which something is forgotten that was begun under a rate
   * @param answers with the note as it is
   */
  void add(List<String> names, List<String> noted, Commit.Builder commit, Map<Key, Entry> answers) {
    for (String name : names) {
      commit.delete(PackKeys.tasks(name)).delete(PackKeys.head(name)).delete(PackKeys.count(name));
    }
    Entry note = answers.get(Keys.FORGOTTEN);
    long before = note == null ? Long.MIN_VALUE : lastEnd(note);
    long now = noted.stream().mapToLong(PackKeys::end).max().orElse(Long.MIN_VALUE);
    if (now > before) {
      // Two may be dropping at the same time: the later end must not be lost under the earlier.
      if (note == null) {
        commit.absent(Keys.FORGOTTEN);
      } else {
        commit.unchanged(note);
      }
      commit.put(Keys.FORGOTTEN, Records.encode(new Forgotten(now)));
    }
  }

  /** What cannot be read may have said anything up to now. */
  private static long lastEnd(Entry note) {
    try {
      return Records.forgotten(note.value()).lastEnd();
    } catch (DamagedRecordException e) {
      return Long.MAX_VALUE;
    }
  }
}
