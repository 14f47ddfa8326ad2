package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Deletes segments early, {@value #AT_ONCE} in a commit.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class EarlyDrop {
  static final int AT_ONCE = 27;

  /**
   * A segment that can be deleted.
   *
   * @param guard the entry on which the decision is based, which must be unchanged
   * @param until when it would expire, in milliseconds
   * @param rated whether a task in it started under a rate limit
   */
  record Old(String name, Entry guard, long until, boolean rated) {}

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final SegmentDrop drop;
  private final BooleanSupplier leads;

  EarlyDrop(Loop loop, Store store, TermWrites writes, BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.drop = new SegmentDrop(loop.time());
    this.leads = leads;
  }

  /**
   * Deletes all of these.
   *
   * @param then called afterwards; what a full engine refuses is left for another time
   * @param failed called instead, if the store could not be read, or something has changed
   */
  void send(Deque<Old> old, Runnable then, Runnable failed) {
    if (old.isEmpty() || !leads.getAsBoolean()) {
      then.run();
      return;
    }
    List<Old> batch = new ArrayList<>();
    while (!old.isEmpty() && batch.size() < AT_ONCE) {
      batch.add(old.remove());
    }
    List<String> noted =
        batch.stream().filter(Old::rated).map(Old::name).filter(drop::isRecent).toList();
    if (noted.isEmpty()) {
      delete(batch, noted, Map.of(), () -> send(old, then, failed), failed);
      return;
    }
    loop.onResult(
        store.get(List.of(Keys.FORGOTTEN)),
        found -> {
          Map<Key, Entry> answers = new HashMap<>();
          found.forEach(entry -> answers.put(entry.key(), entry));
          delete(batch, noted, answers, () -> send(old, then, failed), failed);
        },
        failure -> failed.run());
  }

  private void delete(
      List<Old> batch,
      List<String> noted,
      Map<Key, Entry> answers,
      Runnable then,
      Runnable failed) {
    Commit.Builder commit = writes.commit();
    for (Old each : batch) {
      commit.unchanged(each.guard).delete(SegmentKeys.expiry(each.until, each.name));
    }
    drop.add(batch.stream().map(Old::name).toList(), noted, commit, answers);
    writes.send(commit, done -> then.run(), refused -> failed.run(), notTaken -> then.run());
  }
}
