package io.belfry.core.work;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerOrder;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears what people have ordered of one worker, which goes by what stands in the store: read when the watch has opened, and told by it from
 * then on. After a gap everything begins anew, because what was heard before may have been taken back by a failover.
 *
 * <pre>
 *   watch ──opened──▶ read, not older than that ──▶ changes ──▶ … gap: watch again
 * </pre>
 *
 * <p>Threading: confined to the worker's loop.
 */
final class Instructions {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Loop loop;
  private final Store store;
  private final Key key;
  private final Consumer<WorkerOrder> ordered;
  private WorkerOrder last = WorkerOrder.NONE;
  private @Nullable Watch watch;
  private long newest;
  private int life;

  /**
   * Instructions that nobody follows yet.
   *
   * @param worker id with incarnation
   * @param ordered hears of each that differs from the last
   */
  Instructions(Loop loop, Store store, String worker, Consumer<WorkerOrder> ordered) {
    this.loop = loop;
    this.store = store;
    this.key = Keys.workerOrder(worker);
    this.ordered = ordered;
  }

  void open() {
    int opened = ++life;
    watch = store.watch(Feed.of(key), Watch.NOW, new Watcher() {
      @Override
      public void opened(long revision) {
        step(opened, () -> {
          newest = revision;
          look(opened);
        });
      }

      @Override
      public void changed(long revision, List<Change> changes) {
        step(opened, () -> changes.forEach(change -> told(change, revision)));
      }

      @Override
      public void compacted() {
        step(opened, Instructions.this::openAgain);
      }
    });
  }

  void close() {
    life++;
    if (watch != null) {
      watch.close();
    }
  }

  /** Calls that come from an earlier watch say nothing any more. */
  private void step(int heardIn, Runnable step) {
    loop.post(() -> {
      if (heardIn == life) {
        step.run();
      }
    });
  }

  private void openAgain() {
    close();
    later(life, this::open);
  }

  private void later(int of, Runnable step) {
    var unused = loop.in(PAUSE, () -> {
      if (of == life) {
        step.run();
      }
    });
  }

  private void look(int opened) {
    byte[] name = key.name();
    byte[] behind = Arrays.copyOf(name, name.length + 1);
    loop.hear(
        store.scan(new Scan(key.space(), name, behind, 1)),
        page -> {
          if (opened == life) {
            found(page, opened);
          }
        },
        failure -> {
          if (!(failure instanceof StoreException.Closed)) {
            later(opened, () -> look(opened));
          }
        });
  }

  /** Each change that the watch has told is newer than what a page behind it says. */
  private void found(Page page, int opened) {
    if (page.revision() < newest) {
      later(opened, () -> look(opened));
      return;
    }
    newest = page.revision();
    page.entries().stream().findFirst().ifPresentOrElse(this::stands, () -> say(WorkerOrder.NONE));
  }

  private void told(Change change, long revision) {
    if (revision > newest) {
      newest = revision;
      switch (change) {
        case Change.Put(Entry entry) -> stands(entry);
        case Change.Deleted unused -> say(WorkerOrder.NONE);
      }
    }
  }

  private void stands(Entry entry) {
    Legible.read(entry, each -> Records.workerOrder(each.value())).ifPresent(this::say);
  }

  private void say(WorkerOrder order) {
    if (!order.equals(last)) {
      last = order;
      ordered.accept(order);
    }
  }
}
