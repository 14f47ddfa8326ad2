package io.belfry.core.leader.task;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.Backoff;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.model.task.Task;
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
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Brings the table up to date: opens the watches of news and reports, reads all tasks, and only then applies what arrived meanwhile.
 *
 * <p>Tasks themselves are not watched, because each change of one comes as news or as a report. After a gap of a watch all of this happens
 * again. A task that is known and that the scan did not find has ended, unless it is newer than the scan.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskFeed {
  private final TermLoop loop;
  private final Store store;
  private final TaskTable table;
  private final BiConsumer<Key, List<Task>> ends;
  private final Runnable ready;
  private final Runnable changed;
  private final List<Watch> watches = new ArrayList<>();
  private final List<Runnable> early = new ArrayList<>();
  private long life;
  private int opened;
  private long scanFrom;
  private long openedAt;
  private boolean loaded;

  public TaskFeed(
      TermContext term, TaskTable table, BiConsumer<Key, List<Task>> ends, Runnable ready) {
    this.loop = term.loop();
    this.store = term.store();
    this.table = table;
    this.ends = ends;
    this.ready = ready;
    this.changed = term.wakeUp();
  }

  public void start() {
    life++;
    opened = 0;
    openedAt = Revision.NONE;
    loaded = false;
    early.clear();
    watches.add(watch(Keys.NEWS));
    watches.add(watch(Keys.REPORTS));
  }

  public void stop() {
    life++;
    watches.forEach(Watch::close);
    watches.clear();
  }

  private void startOver(long of) {
    if (of != life) {
      return;
    }
    stop();
    long now = life;
    var unused = loop.after(Backoff.AFTER_GAP, () -> {
      if (now == life) {
        start();
      }
    });
  }

  private Watch watch(Space space) {
    long of = life;
    return store.watch(Feed.of(space), Watch.NOW, new Watcher() {
      @Override
      public void opened(long revision) {
        step(of, () -> open(revision, of));
      }

      @Override
      public void changed(long revision, List<Change> changes) {
        step(of, () -> observed(changes));
      }

      @Override
      public void compacted() {
        step(of, () -> startOver(of));
      }
    });
  }

  private void step(long of, Runnable step) {
    loop.post(() -> {
      if (of == life) {
        step.run();
      }
    });
  }

  private void open(long revision, long of) {
    opened++;
    openedAt = Math.max(openedAt, revision);
    if (opened == 2) {
      scanFrom = revision;
      read(Scan.all(Keys.TASKS), of);
    }
  }

  private void observed(List<Change> changes) {
    for (Change change : changes) {
      if (change instanceof Change.Put(Entry entry)) {
        if (loaded) {
          apply(entry);
        } else {
          early.add(() -> apply(entry));
        }
      }
    }
    changed.run();
  }

  private void apply(Entry entry) {
    if (entry.key().space().equals(Keys.NEWS)) {
      for (Task task :
          SafeDecoder.read(entry, news -> Records.news(news.value()).tasks()).orElse(List.of())) {
        if (table.hasEndedRecently(task.id())) {
          continue; // found by a scan, and over before the word of it came
        }
        table.recordStored(task, entry.revision());
      }
    } else {
      SafeDecoder.read(entry, message -> Records.reports(message.value())).ifPresent(message -> {
        message
            .tasks()
            .forEach(task ->
                table.recordReported(Stored.stamped(task, entry.revision()), entry.revision()));
        message.rejected().forEach(late -> table.recordRejected(late.task(), late.token()));
        if (!message.endedBatch().isEmpty()) {
          ends.accept(Key.of(Keys.FRESH_HISTORY, message.endedBatch()), message.tasks());
        }
      });
    }
  }

  private void read(Scan scan, long of) {
    loop.onResult(
        store.scan(scan),
        page -> {
          if (of == life) {
            takePage(page, of);
          }
        },
        failure -> {
          if (!(failure instanceof StoreException.Closed)) {
            startOver(of);
          }
        });
  }

  private void takePage(Page page, long of) {
    if (page.revision() < openedAt) {
      startOver(of); // it lags behind: what came between it and the watches would be lost
      return;
    }
    for (Entry entry : page.entries()) {
      SafeDecoder.read(entry, Stored::task)
          .ifPresent(task -> table.recordStored(task, entry.revision()).seenInScan = of);
    }
    if (page.next().isPresent()) {
      read(page.next().get(), of);
      return;
    }
    for (LiveTask live : table.tasks.all()) {
      if (live.seenInScan != of && live.revision() <= scanFrom) {
        table.missedByScan(live);
      }
    }
    loaded = true;
    early.forEach(Runnable::run);
    early.clear();
    ready.run();
  }
}
