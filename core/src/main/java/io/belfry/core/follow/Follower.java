package io.belfry.core.follow;

import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Legible;
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
 * Follows one space that is ordered and watched together.
 *
 * <p>Changes that come while the space is read are kept until it has been read, the newest of each key: so they take no more room than
 * the space itself and {@value #DELETED_MAX} keys that were deleted meanwhile. When more are deleted, the space is read again from the start.
 *
 * <p>Threading: confined to its loop.
 */
public final class Follower {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final long UNKNOWN = -1;
  static final int DELETED_MAX = 100_000;

  /** Who is told. The revision of a deletion is that of its step. */
  public interface Sink {
    /**
     * The engine has begun a new epoch since the last loading: what was known may have been taken back, and stand there again at older
     * revisions. {@link #loading} follows.
     */
    default void takenBack() {}

    /** All that stands in the space follows as {@link #put}, then {@link #loaded}; what is not among it does not exist. */
    void loading();

    void put(Entry entry);

    void deleted(Key key, long revision);

    void loaded();
  }

  /** A change that came while the space was read. */
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
  private int life;
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
    life++;
    loaded = false;
    forgetEarly();
    watch = store.watch(Feed.of(space), Watch.NOW, new Ears(life));
  }

  /**
   * Reads the space again, under a new watch: for changes that a watch has lost without anybody noticing. While the space is read, or is
   * about to be, that happens anyway.
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

  /** Calls that come from a watch of an earlier life say nothing any more. */
  private void step(int heardIn, Runnable step) {
    loop.post(() -> {
      if (heardIn == life && !stopped) {
        step.run();
      }
    });
  }

  private final class Ears implements Watcher {
    private final int of;

    Ears(int of) {
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
          changes.forEach(change -> tell(revision, change));
        } else {
          keep(revision, changes);
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
    int now = ++life;
    loaded = false;
    forgetEarly();
    var unused = loop.after(PAUSE, () -> {
      if (!stopped && now == life) {
        start();
      }
    });
  }

  private void read(Scan scan, int of) {
    loop.onResult(
        store.scan(scan),
        page -> {
          if (of == life && !stopped) {
            took(page, of);
          }
        },
        failure -> {
          if (of == life && !stopped && !(failure instanceof StoreException.Closed)) {
            startOver();
          }
        });
  }

  /** The next page is asked for first, so that the engine reads it while this one is taken in. */
  private void took(Page page, int of) {
    if (page.revision() < openedAt) {
      startOver(); // it lags behind: what came between it and the watch would never be heard of
      return;
    }
    page.next().ifPresent(next -> read(next, of));
    page.entries().forEach(this::put);
    if (page.next().isPresent()) {
      return;
    }
    loaded = true;
    sink.loaded();
    early.values().forEach(each -> tell(each.revision, each.change));
    forgetEarly();
  }

  /** Until the space has been read; in the order of the newest changes. */
  private void keep(long revision, List<Change> changes) {
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

  /** How many changes wait until the space has been read. */
  int kept() {
    return early.size();
  }

  private void tell(long revision, Change change) {
    switch (change) {
      case Change.Put(Entry entry) -> put(entry);
      case Change.Deleted(Key key) -> passOver(key, () -> sink.deleted(key, revision));
    }
  }

  private void put(Entry entry) {
    passOver(entry.key(), () -> sink.put(entry));
  }

  /** One key or record that nobody can read must not end what follows all the others. */
  private static void passOver(Key key, Runnable step) {
    try {
      step.run();
    } catch (DamagedRecordException | IllegalArgumentException | IndexOutOfBoundsException e) {
      Legible.passedOver(key, e);
    }
  }
}
