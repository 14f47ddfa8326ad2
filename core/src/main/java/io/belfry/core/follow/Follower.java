package io.belfry.core.follow;

import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one space that is ordered and watched together.
 *
 * <p>Threading: confined to its loop.
 */
public final class Follower {
  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final long UNKNOWN = -1;

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

  private record Heard(long revision, List<Change> changes) {}

  private final Loop loop;
  private final Store store;
  private final Space space;
  private final Sink sink;
  private final List<Heard> early = new ArrayList<>();
  private @Nullable Watch watch;
  private long openedAt;
  private boolean loaded;
  private boolean stopped;
  private int life;
  private long epoch = UNKNOWN;

  public Follower(Loop loop, Store store, Space space, Sink sink) {
    this.loop = loop;
    this.store = store;
    this.space = space;
    this.sink = sink;
  }

  public void start() {
    life++;
    loaded = false;
    early.clear();
    watch = store.watch(Feed.of(space), Watch.NOW, new Ears(life));
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
          tell(revision, changes);
        } else {
          early.add(new Heard(revision, changes));
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
    life++;
    var unused = loop.in(PAUSE, () -> {
      if (!stopped) {
        start();
      }
    });
  }

  private void read(Scan scan, int of) {
    loop.hear(
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
    early.forEach(heard -> tell(heard.revision, heard.changes));
    early.clear();
  }

  private void tell(long revision, List<Change> changes) {
    for (Change change : changes) {
      switch (change) {
        case Change.Put(Entry entry) -> put(entry);
        case Change.Deleted(Key key) -> passOver(key, () -> sink.deleted(key, revision));
      }
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
      LOG.error(
          "{} cannot be read and is passed over. Upgrade all nodes to one version, or delete the key.",
          key,
          e);
    }
  }
}
