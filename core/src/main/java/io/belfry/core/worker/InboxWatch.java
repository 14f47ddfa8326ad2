package io.belfry.core.worker;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Inbox;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Store;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Receives the leader's orders from one worker's inbox. A missed order is sent again, because the worker's heartbeats do
 * not name its attempt.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class InboxWatch {

  /** Called with a task to run. */
  interface Run {
    void run(Task task, long revision);
  }

  private final KeyWatch ear;
  private final Run run;
  private final BiConsumer<AttemptId, CancelRequest> stop;

  InboxWatch(
      Loop loop, Store store, String worker, Run run, BiConsumer<AttemptId, CancelRequest> stop) {
    this.ear =
        new KeyWatch(loop, store, Keys.inbox(worker), (revision, changes) -> onChanges(changes));
    this.run = run;
    this.stop = stop;
  }

  void open() {
    ear.open();
  }

  void close() {
    ear.close();
  }

  private void onChanges(List<Change> changes) {
    for (Change change : changes) {
      if (change instanceof Change.Put(Entry entry)) {
        SafeDecoder.read(entry, each -> Records.inbox(each.value()).orders())
            .orElse(List.of())
            .forEach(order -> deliver(order, entry.revision()));
      }
    }
  }

  private void deliver(Inbox.Order order, long written) {
    switch (order) {
      case Inbox.Order.Run(Task task, long revision) -> {
        long taskRevision = revision == 0 ? written : revision;
        run.run(Stored.stamped(task, taskRevision), taskRevision);
      }
      case Inbox.Order.Stop(TaskId task, long token, CancelRequest request) ->
        stop.accept(new AttemptId(task, new Token(token)), request);
    }
  }
}
