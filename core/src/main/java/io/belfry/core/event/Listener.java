package io.belfry.core.event;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.EventBatch;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives on one node the events that leaders on other nodes publish. Each event is delivered at most once, in order; an event lost
 * in a fault is not delivered later, because events are hints and the history is the truth.
 *
 * <p>Threading: confined to its loop.
 */
public final class Listener {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Loop loop;
  private final Store store;
  private final String node;
  private final Observer observer;
  private final LongConsumer missed;
  private @Nullable Watch watch;
  private int watchNumber;
  private long term;
  private long next;

  /**
   * A listener that has not started.
   *
   * @param node this node; events that it publishes itself as the leader are ignored here
   * @param missed called with the number of events that did not arrive
   */
  public Listener(Loop loop, Store store, String node, Observer observer, LongConsumer missed) {
    this.loop = loop;
    this.store = store;
    this.node = node;
    this.observer = observer;
    this.missed = missed;
  }

  /** Idempotent. */
  public void start() {
    if (watch == null) {
      open();
    }
  }

  public void stop() {
    watchNumber++;
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  private void open() {
    int now = ++watchNumber;
    watch = store.watch(Feed.of(Keys.EVENTS), Watch.NOW, new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        loop.post(() -> {
          if (now == watchNumber) {
            changes.forEach(Listener.this::receive);
          }
        });
      }

      @Override
      public void compacted() {
        loop.post(() -> openAgain(now));
      }
    });
  }

  private void openAgain(int of) {
    if (of == watchNumber) {
      var unused = loop.after(PAUSE, () -> {
        if (of == watchNumber) {
          open();
        }
      });
    }
  }

  private void receive(Change change) {
    if (change instanceof Change.Put(Entry entry)) {
      SafeDecoder.read(entry, each -> Records.eventBatch(each.value())).ifPresent(this::receive);
    }
  }

  private void receive(EventBatch batch) {
    if (batch.by().equals(node) || batch.term() < term) {
      return;
    }
    if (batch.term() == term && batch.first() > next) {
      missed.accept(batch.first() - next);
    }
    if (batch.term() > term) {
      term = batch.term();
      next = batch.first();
    }
    // A batch whose answer got lost is published again.
    batch.events().stream()
        .skip(Math.max(0, next - batch.first()))
        .forEach(event -> observer.observed(Telling.heard(event)));
    next = Math.max(next, batch.first() + batch.events().size());
  }
}
