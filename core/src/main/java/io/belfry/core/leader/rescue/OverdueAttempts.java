package io.belfry.core.leader.rescue;

import io.belfry.core.leader.assign.TaskAssigner;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.task.TaskTransitions;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Inbox;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Command;
import io.belfry.model.task.TaskState;
import java.time.Duration;
import java.util.List;

/**
 * Ends attempts whose timeout has passed without a report of their worker, although its lease is renewed. Looks through what is
 * held now and then, which is bounded by what workers can hold; a timer for each would outlive almost all of them. By the stopwatch: a
 * calendar that was set says nothing about how long something took.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class OverdueAttempts {
  private static final Duration EVERY = Duration.ofSeconds(5);
  /** Ended by one check, each by a commit of its own; the others by the next, a second later. */
  private static final int ENDS_MAX = 1000;

  private final Loop loop;
  private final TaskTable table;
  private final TaskTransitions transitions;
  private final TaskAssigner assigner;
  private final Duration patience;
  private final Runnable changed;
  private long lookedAt;

  public OverdueAttempts(
      TermContext term, TaskTable table, TaskTransitions transitions, TaskAssigner assigner) {
    this.loop = term.loop();
    this.table = table;
    this.transitions = transitions;
    this.assigner = assigner;
    this.patience = term.settings().overdue();
    this.changed = term.wakeUp();
    this.lookedAt = loop.time().nanos();
  }

  /** To be called about once a second. */
  public void check() {
    long now = loop.time().nanos();
    if (now - lookedAt < EVERY.toNanos()) {
      return;
    }
    lookedAt = now;
    int ends = 0;
    for (String worker : List.copyOf(table.tasks.holders())) {
      for (LiveTask live : table.tasks.heldBy(worker)) {
        if (ends == ENDS_MAX) {
          lookedAt = now - EVERY.toNanos();
          return;
        }
        Duration ran = Duration.ofNanos(now - live.heldSinceNanos());
        Duration allowed = live.task().work().timeout().plus(patience);
        if (live.task().state() instanceof TaskState.Held held && ran.compareTo(allowed) > 0) {
          ends += end(live, held, ran) ? 1 : 0;
        }
      }
    }
  }

  private boolean end(LiveTask live, TaskState.Held held, Duration ran) {
    return transitions.rewrite(
        live,
        List.of(new Command.TimeOut(held.attempt().token(), ran)),
        TaskTransitions.Terms.NONE,
        ended -> {
          assigner.sendOrders(
              held.attempt().worker(),
              List.of(new Inbox.Order.Stop(
                  live.id(),
                  held.attempt().token().value(),
                  new CancelRequest(
                      "belfry", "its timeout has passed", loop.time().wall()))));
          changed.run();
        });
  }
}
