package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.PackKeys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Forgotten;
import io.belfry.core.record.Records;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Store;
import java.util.List;
import java.util.function.Consumer;

/**
 * Drops packs, and notes in the same commit how far history has been forgotten: whoever must know all that was begun under a rate can
 * tell whether it is all there.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class PackDrop {
  private final Loop loop;
  private final Store store;

  PackDrop(Loop loop, Store store) {
    this.loop = loop;
    this.store = store;
  }

  /** That what is in a pack lies in a larger one as well, in the place of an empty value at its expiry. */
  static final byte[] ELSEWHERE = {1};

  /**
   * Adds to a commit what drops packs whose time is over, in which something may have been begun under a rate: three writes for each, and
   * one.
   *
   * @param due their expiries
   * @param then goes on with the commit
   * @param failed called instead when the store could not be asked
   */
  void add(List<Entry> due, Commit.Builder commit, Consumer<Commit.Builder> then, Runnable failed) {
    add(
        due.stream().map(entry -> Keys.expiring(entry.key())).toList(),
        due.stream()
            .filter(entry -> entry.value().length == 0)
            .map(entry -> Keys.expiring(entry.key()))
            .toList(),
        commit,
        then,
        failed);
  }

  /**
   * Adds to a commit what drops these packs.
   *
   * @param rated those of them with which something is forgotten that was begun under a rate
   */
  void add(
      List<String> names,
      List<String> rated,
      Commit.Builder commit,
      Consumer<Commit.Builder> then,
      Runnable failed) {
    loop.hear(
        store.get(List.of(Keys.FORGOTTEN)),
        found -> {
          long before = found.stream().mapToLong(this::lastEnd).max().orElse(Long.MIN_VALUE);
          long now = rated.stream().mapToLong(PackKeys::end).max().orElse(Long.MIN_VALUE);
          for (String name : names) {
            commit
                .delete(PackKeys.tasks(name))
                .delete(PackKeys.head(name))
                .delete(PackKeys.count(name));
          }
          if (now > before) {
            // Two may be dropping at the same time: the later end must not be lost under the
            // earlier.
            found.stream()
                .findFirst()
                .ifPresentOrElse(commit::unchanged, () -> commit.absent(Keys.FORGOTTEN));
            commit.put(Keys.FORGOTTEN, Records.encode(new Forgotten(now)));
          }
          then.accept(commit);
        },
        failure -> failed.run());
  }

  /** What cannot be read may have said anything up to now. */
  private long lastEnd(Entry mark) {
    try {
      return Records.forgotten(mark.value()).lastEnd();
    } catch (DamagedRecordException e) {
      return Long.MAX_VALUE;
    }
  }
}
