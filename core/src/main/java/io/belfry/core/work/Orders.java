package io.belfry.core.work;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Inbox;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.core.record.Stored;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears what the leader puts into one worker's inbox. What is missed is told again, because the worker's heartbeats do
 * not name it.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class Orders {

  /** Told to carry out a task. */
  interface Run {
    void run(Task task, long revision);
  }

  private final Loop loop;
  private final Store store;
  private final String worker;
  private final Run run;
  private final BiConsumer<AttemptId, CancelRequest> stop;
  private @Nullable Watch watch;
  private int life;

  Orders(
      Loop loop, Store store, String worker, Run run, BiConsumer<AttemptId, CancelRequest> stop) {
    this.loop = loop;
    this.store = store;
    this.worker = worker;
    this.run = run;
    this.stop = stop;
  }

  void open() {
    int opened = ++life;
    watch = store.watch(Feed.of(Keys.inbox(worker)), Watch.NOW, new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        step(opened, () -> heard(changes));
      }

      @Override
      public void compacted() {
        step(opened, Orders.this::open);
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

  private void heard(List<Change> changes) {
    for (Change change : changes) {
      if (change instanceof Change.Put(Entry entry)) {
        Legible.read(entry, each -> Records.inbox(each.value()).orders())
            .orElse(List.of())
            .forEach(order -> tell(order, entry.revision()));
      }
    }
  }

  private void tell(Inbox.Order order, long written) {
    switch (order) {
      case Inbox.Order.Run(Task task, long revision) -> {
        long stands = revision == 0 ? written : revision;
        run.run(Stored.stamped(task, stands), stands);
      }
      case Inbox.Order.Stop(TaskId task, long token, CancelRequest request) ->
        stop.accept(new AttemptId(task, new Token(token)), request);
    }
  }
}
