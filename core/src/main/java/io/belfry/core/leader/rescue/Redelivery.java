package io.belfry.core.leader.rescue;

import io.belfry.core.commit.CommitLimits;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.record.Inbox;
import io.belfry.core.record.Records;
import io.belfry.core.record.Weight;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;

/**
 * Sends a worker again what its heartbeats do not name: the order may never have arrived. Or the attempt has ended, and its report is on
 * its way: so each message is guarded by the task, and where the task differs from what is known, it is read instead. A worker that has
 * forgotten an attempt would carry it out once more.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class Redelivery {
  /** Of one heartbeat: the next is soon. */
  private static final int BATCHES_MAX = 20;

  private static final int READS_MAX = 100;

  private final TermCommitter committer;
  private final TaskTable table;
  /** Heartbeats that must miss a token before it is sent again. */
  private final int patience;

  Redelivery(TermCommitter committer, TaskTable table, int patience) {
    this.committer = committer;
    this.table = table;
    this.patience = patience;
  }

  /** What there is no room for keeps its count, and has its turn with the next heartbeat. */
  void redeliver(String worker, Collection<LiveTask> missing) {
    var unsent = new ArrayDeque<LiveTask>();
    int reads = 0;
    for (LiveTask live : missing) {
      boolean begun = !(live.task().state() instanceof TaskState.Assigned);
      if (!begun && !live.isWithoutPayload()) {
        unsent.add(live);
      } else if (reads++ < READS_MAX) {
        if (begun) {
          read(live);
        } else {
          redeliverWhole(worker, live);
        }
      }
    }
    for (int i = 0; i < BATCHES_MAX && !unsent.isEmpty(); i++) {
      List<LiveTask> batch = nextBatch(unsent);
      send(worker, batch, batch.stream().map(live -> live.task()).toList());
    }
  }

  /** What is kept without its payload is read first. */
  private void redeliverWhole(String worker, LiveTask live) {
    table.missedHeartbeats(live, 0);
    table.reader.whole(
        live, live.task(), whole -> send(worker, List.of(live), List.of(whole)), () -> {
          if (live.isFree()) {
            read(live);
          }
        });
  }

  private static List<LiveTask> nextBatch(Queue<LiveTask> unsent) {
    var batch = new ArrayList<LiveTask>();
    long bytes = 0;
    for (LiveTask next = unsent.peek(); next != null; next = unsent.peek()) {
      bytes += Weight.of(next.task());
      if (!batch.isEmpty() && !CommitLimits.REDELIVER.allows(batch.size() + 1, bytes)) {
        break;
      }
      batch.add(unsent.remove());
    }
    return batch;
  }

  private void send(String worker, List<LiveTask> batch, List<Task> whole) {
    Commit.Builder commit = committer.commit();
    var orders = new ArrayList<Inbox.Order>();
    for (int i = 0; i < batch.size(); i++) {
      LiveTask live = batch.get(i);
      table.missedHeartbeats(live, 0);
      commit.unchanged(Keys.task(live.id()), live.revision());
      // Stopped before it is sent: so that what is cancelled is not begun.
      live.cancel()
          .ifPresent(asked -> orders.add(
              new Inbox.Order.Stop(live.id(), live.task().token().value(), asked.request())));
      orders.add(new Inbox.Order.Run(whole.get(i), live.revision()));
    }
    committer.send(
        commit.put(Keys.inbox(worker), Records.encode(new Inbox(orders))),
        revision -> {},
        guard -> batch.stream().filter(live -> live.isFree()).forEach(this::read));
  }

  /** What has not begun is sent as soon as the next heartbeat misses it. */
  private void read(LiveTask live) {
    table.missedHeartbeats(
        live, live.task().state() instanceof TaskState.Assigned ? patience - 1 : 0);
    table.reread(live);
  }
}
