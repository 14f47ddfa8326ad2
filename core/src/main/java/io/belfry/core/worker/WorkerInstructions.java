package io.belfry.core.worker;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.WorkerOrder;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Follows the operators' order for one worker: reads it when the watch has opened, and then takes changes from the watch.
 * After a gap it starts again, because known orders may have been rolled back by a failover.
 *
 * <pre>
 *   watch ──opened──▶ read, not older than that ──▶ changes ──▶ … gap: new watch
 * </pre>
 *
 * <p>Threading: confined to the worker's loop.
 */
final class WorkerInstructions {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Loop loop;
  private final Store store;
  private final Key key;
  private final Consumer<WorkerOrder> ordered;
  private final KeyWatch ear;
  private WorkerOrder last = WorkerOrder.NONE;
  private long newest;

  /**
   * Instructions that are not followed yet.
   *
   * @param worker id with incarnation
   * @param ordered called for each order that differs from the last
   */
  WorkerInstructions(Loop loop, Store store, String worker, Consumer<WorkerOrder> ordered) {
    this.loop = loop;
    this.store = store;
    this.key = Keys.workerOrder(worker);
    this.ordered = ordered;
    this.ear = new KeyWatch(loop, store, key, new OrderOwner());
  }

  void open() {
    ear.open();
  }

  void close() {
    ear.close();
  }

  private final class OrderOwner implements KeyWatch.Owner {
    @Override
    public void opened(long revision) {
      newest = revision;
      read(ear.life());
    }

    @Override
    public void changed(long revision, List<Change> changes) {
      changes.forEach(change -> onChange(change, revision));
    }
  }

  private void later(int of, Runnable step) {
    var unused = loop.after(PAUSE, () -> {
      if (of == ear.life()) {
        step.run();
      }
    });
  }

  private void read(int opened) {
    byte[] name = key.name();
    byte[] behind = Arrays.copyOf(name, name.length + 1);
    loop.onResult(
        store.scan(new Scan(key.space(), name, behind, 1)),
        page -> {
          if (opened == ear.life()) {
            found(page, opened);
          }
        },
        failure -> {
          if (!(failure instanceof StoreException.Closed)) {
            later(opened, () -> read(opened));
          }
        });
  }

  /** A stale page is read again: changes from the watch are newer than its content. */
  private void found(Page page, int opened) {
    if (page.revision() < newest) {
      later(opened, () -> read(opened));
      return;
    }
    newest = page.revision();
    page.entries().stream()
        .findFirst()
        .ifPresentOrElse(this::deliver, () -> deliver(WorkerOrder.NONE));
  }

  private void onChange(Change change, long revision) {
    if (revision > newest) {
      newest = revision;
      switch (change) {
        case Change.Put(Entry entry) -> deliver(entry);
        case Change.Deleted unused -> deliver(WorkerOrder.NONE);
      }
    }
  }

  private void deliver(Entry entry) {
    SafeDecoder.read(entry, each -> Records.workerOrder(each.value())).ifPresent(this::deliver);
  }

  private void deliver(WorkerOrder order) {
    if (!order.equals(last)) {
      last = order;
      ordered.accept(order);
    }
  }
}
