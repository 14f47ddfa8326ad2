package io.belfry.core.follow;

import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.SafeDecoder;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Revision;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a copy of one space up to date, from a scan and a watch.
 *
 * <p>Changes that arrive during the scan are kept until it is complete, only the newest of each key: so they take no more memory than
 * the space itself and {@value #DELETED_MAX} keys that were deleted meanwhile. If more are deleted, the scan starts again.
 *
 * <p>Threading: confined to its loop.
 */
public final class Follower {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final long UNKNOWN = -1;
  static final int DELETED_MAX = 100_000;

  /** Receives the content and its changes. The revision of a deletion is that of its commit. */
  public interface Sink {
    /**
     * The engine has begun a new epoch since the last load: known entries may have been rolled back to older
     * revisions. {@link #loading} follows.
     */
    default void takenBack() {}

    /** The whole content of the space follows as {@link #put}, then {@link #loaded}; any other key does not exist. */
    void loading();

    void put(Entry entry);

    void deleted(Key key, long revision);

    void loaded();
  }

  /** A change that arrived during the scan. */
  private record Early(long revision, Change change) {}

  private final Loop loop;
  private final Store store;
  private final Space space;
  private final Sink sink;
  private final int deletedMax;
  private final Map<Key, Early> early = new LinkedHashMap<>();
  private int deletedEarly;
  private @Nullable Watch watch;
  private long openedAt;
  private boolean loaded;
  private boolean stopped;
  private int watchNumber;
  private long epoch = UNKNOWN;

  public Follower(Loop loop, Store store, Space space, Sink sink) {
    this(loop, store, space, sink, DELETED_MAX);
  }

  Follower(Loop loop, Store store, Space space, Sink sink, int deletedMax) {
    this.loop = loop;
    this.store = store;
    this.space = space;
    this.sink = sink;
    this.deletedMax = deletedMax;
  }

  public void start() {
    unwatch();
    watchNumber++;
    loaded = false;
    forgetEarly();
    watch = store.watch(Feed.of(space), Watch.NOW, new SpaceWatcher(watchNumber));
  }

  /**
   * Scans the space again, under a new watch: for changes that a watch may have lost unnoticed. Does nothing while a scan is running or
   * about to start.
   */
  public void startAgain() {
    if (!stopped && loaded) {
      start();
    }
  }

  public void stop() {
    stopped = true;
    unwatch();
  }

  private void unwatch() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  /** Runs a step of the loop, unless it comes from an earlier watch. */
  private void step(int watchOf, Runnable step) {
    loop.post(() -> {
      if (watchOf == watchNumber && !stopped) {
        step.run();
      }
    });
  }

  private final class SpaceWatcher implements Watcher {
    private final int of;

    SpaceWatcher(int of) {
      this.of = of;
    }

    @Override
    public void opened(long revision) {
      step(of, () -> {
        if (epoch < Revision.epoch(revision) && epoch != UNKNOWN) {
          sink.takenBack();
        }
        epoch = Revision.epoch(revision);
        openedAt = revision;
        sink.loading();
        read(Scan.all(space), of);
      });
    }

    @Override
    public void changed(long revision, List<Change> changes) {
      step(of, () -> {
        if (loaded) {
          changes.forEach(change -> apply(revision, change));
        } else {
          keepEarly(revision, changes);
        }
      });
    }

    @Override
    public void compacted() {
      step(of, Follower.this::startOver);
    }
  }

  private void startOver() {
    unwatch();
    int now = ++watchNumber;
    loaded = false;
    forgetEarly();
    var unused = loop.after(PAUSE, () -> {
      if (!stopped && now == watchNumber) {
        start();
      }
    });
  }

  private void read(Scan scan, int of) {
    loop.onResult(
        store.scan(scan),
        page -> {
          if (of == watchNumber && !stopped) {
            onPage(page, of);
          }
        },
        failure -> {
          if (of == watchNumber && !stopped && !(failure instanceof StoreException.Closed)) {
            startOver();
          }
        });
  }

  /** Requests the next page first, so that the engine reads it while this one is processed. */
  private void onPage(Page page, int of) {
    if (page.revision() < openedAt) {
      startOver(); // a stale read: the changes between it and the watch would be missing
      return;
    }
    page.next().ifPresent(next -> read(next, of));
    page.entries().forEach(this::put);
    if (page.next().isPresent()) {
      return;
    }
    loaded = true;
    sink.loaded();
    early.values().forEach(each -> apply(each.revision, each.change));
    forgetEarly();
  }

  /** Keeps changes until the scan is complete; in the order of the newest changes. */
  private void keepEarly(long revision, List<Change> changes) {
    for (Change change : changes) {
      Early before = early.remove(change.key());
      early.put(change.key(), new Early(revision, change));
      deletedEarly += deletions(change) - (before == null ? 0 : deletions(before.change));
    }
    if (deletedEarly > deletedMax) {
      startOver();
    }
  }

  private static int deletions(Change change) {
    return change instanceof Change.Deleted ? 1 : 0;
  }

  private void forgetEarly() {
    early.clear();
    deletedEarly = 0;
  }

  /** How many changes wait for the end of the scan. */
  int kept() {
    return early.size();
  }

  private void apply(long revision, Change change) {
    switch (change) {
      case Change.Put(Entry entry) -> put(entry);
      case Change.Deleted(Key key) -> skipDamaged(key, () -> sink.deleted(key, revision));
    }
  }

  private void put(Entry entry) {
    skipDamaged(entry.key(), () -> sink.put(entry));
  }

  /** Skips a key or record that cannot be decoded: it must not stop the rest. */
  private static void skipDamaged(Key key, Runnable step) {
    try {
      step.run();
    } catch (DamagedRecordException | IllegalArgumentException | IndexOutOfBoundsException e) {
      SafeDecoder.passedOver(key, e);
    }
  }
}
