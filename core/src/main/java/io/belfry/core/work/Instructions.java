package io.belfry.core.work;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
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
  private final Ear ear;
  private WorkerOrder last = WorkerOrder.NONE;
  private long newest;

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
    this.ear = new Ear(loop, store, key, new Hearing());
  }

  void open() {
    ear.open();
  }

  void close() {
    ear.close();
  }

  private final class Hearing implements Ear.Owner {
    @Override
    public void opened(long revision) {
      newest = revision;
      look(ear.life());
    }

    @Override
    public void changed(long revision, List<Change> changes) {
      changes.forEach(change -> told(change, revision));
    }
  }

  private void later(int of, Runnable step) {
    var unused = loop.after(PAUSE, () -> {
      if (of == ear.life()) {
        step.run();
      }
    });
  }

  private void look(int opened) {
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
