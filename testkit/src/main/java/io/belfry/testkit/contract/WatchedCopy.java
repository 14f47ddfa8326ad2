package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.answer;

import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A copy of a space kept current by scan and watch, like the caches of the core. The watch is opened <em>before</em> the first
 * page is read. Its events wait until the scan is complete, and are applied if they are newer.
 *
 * <p>Threading: confined to the test.
 */
final class WatchedCopy implements AutoCloseable {
  private final Map<Key, String> copy = new TreeMap<>();
  private final Map<Key, Long> pageRevisions = new TreeMap<>();
  private final WatchProbe probe = new WatchProbe();
  private final Watch watch;

  private WatchedCopy(Store store, Space space, int pageSize) {
    watch = store.watch(Feed.of(space), Watch.NOW, probe);
    probe.opened();
    Optional<Scan> next = Optional.of(Scan.all(space).limit(pageSize));
    while (next.isPresent()) {
      Page page = answer(store.scan(next.get()));
      for (Entry entry : page.entries()) {
        copy.put(entry.key(), show(entry));
        pageRevisions.put(entry.key(), entry.revision());
      }
      next = page.next();
    }
  }

  static WatchedCopy of(Store store, Space space, int pageSize) {
    return new WatchedCopy(store, space, pageSize);
  }

  /** Applies watch events until the key is in the copy, and returns the copy. */
  Map<Key, String> awaitKey(Key last) {
    while (!copy.containsKey(last)) {
      WatchProbe.Event.Changed seen = probe.changed();
      seen.changes().forEach(change -> apply(seen.revision(), change));
    }
    return copy;
  }

  private void apply(long revision, Change change) {
    if (revision <= pageRevisions.getOrDefault(change.key(), 0L)) {
      return;
    }
    switch (change) {
      case Change.Put put -> copy.put(put.key(), show(put.entry()));
      case Change.Deleted deleted -> copy.remove(deleted.key());
    }
  }

  static Map<Key, String> snapshot(Store store, Space space) {
    List<Entry> all = Subject.scanAll(store, Scan.all(space));
    Map<Key, String> snapshot = new TreeMap<>();
    all.forEach(entry -> snapshot.put(entry.key(), show(entry)));
    return snapshot;
  }

  private static String show(Entry entry) {
    return Subject.text(entry) + " @" + entry.revision();
  }

  @Override
  public void close() {
    watch.close();
  }
}
