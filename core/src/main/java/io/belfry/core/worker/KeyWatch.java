package io.belfry.core.worker;

import io.belfry.core.loop.Loop;
import io.belfry.store.Change;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches one key. After a gap it opens a new watch, closes the old one, and ignores
 * what still arrives from it.
 *
 * <p>Threading: confined to its loop.
 */
final class KeyWatch {

  /** Receives the changes, in steps of the loop. */
  interface Owner {
    /** A new watch is open: each change after this revision is delivered. */
    default void opened(long revision) {}

    void changed(long revision, List<Change> changes);
  }

  private final Loop loop;
  private final Store store;
  private final Key key;
  private final Owner owner;
  private @Nullable Watch watch;
  private int life;

  KeyWatch(Loop loop, Store store, Key key, Owner owner) {
    this.loop = loop;
    this.store = store;
    this.key = key;
    this.owner = owner;
  }

  /** The number of the current watch; changes with each gap, and at the end. */
  int life() {
    return life;
  }

  void open() {
    close();
    int of = life;
    watch = store.watch(Feed.of(key), Watch.NOW, new Watcher() {
      @Override
      public void opened(long revision) {
        step(of, () -> owner.opened(revision));
      }

      @Override
      public void changed(long revision, List<Change> changes) {
        step(of, () -> owner.changed(revision, changes));
      }

      @Override
      public void compacted() {
        step(of, KeyWatch.this::open);
      }
    });
  }

  void close() {
    life++;
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  private void step(int of, Runnable step) {
    loop.post(() -> {
      if (of == life) {
        step.run();
      }
    });
  }
}
