package io.belfry.core.election;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches when the leader key is taken, and when it is gone. Only a hint: what happens during a gap of the watch is not delivered.
 *
 * <p>Threading: confined to its loop.
 */
final class LeaderKeyWatch {
  private final Loop loop;
  private final Store engine;
  private final Runnable gone;
  private final Consumer<String> taken;
  private @Nullable Watch watch;
  private int life;
  private boolean stopped;

  LeaderKeyWatch(Loop loop, Store engine, Runnable gone, Consumer<String> taken) {
    this.loop = loop;
    this.engine = engine;
    this.gone = gone;
    this.taken = taken;
  }

  void start() {
    int of = ++life;
    watch = engine.watch(Feed.of(Keys.ELECTION), Watch.NOW, new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        loop.post(() -> onChanges(of, changes));
      }

      @Override
      public void compacted() {
        loop.post(() -> {
          if (of == life && !stopped) {
            start();
          }
        });
      }
    });
  }

  void stop() {
    stopped = true;
    if (watch != null) {
      watch.close();
    }
  }

  private void onChanges(int of, List<Change> changes) {
    for (Change change : changes) {
      if (of != life || stopped) {
        return;
      }
      switch (change) {
        case Change.Deleted(var key) when key.equals(Keys.LEADER) -> gone.run();
        case Change.Put(Entry entry)
        when entry.key().equals(Keys.LEADER) -> taken.accept(new String(entry.value(), UTF_8));
        default -> {
          // The name of the data set.
        }
      }
    }
  }
}
