package io.belfry.core.leader.assign;

import io.belfry.core.history.RateHistoryReader;
import io.belfry.core.leader.task.EarlierClock;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.loop.Loop;
import io.belfry.model.job.Rate;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.History;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds out what earlier leaders began under a rate, so that a new one need not wait for a whole window.
 *
 * <pre>
 *   unfinished tasks, as they are loaded ──┐
 *   finished ones, newest first ───────────┴─▶ starts at the dispatcher; what is known reaches further back
 * </pre>
 *
 * <p>Unfinished tasks bring their attempts with them. History is read only while a task waits for a window that is not known, and no
 * further than that takes; where it has been forgotten or cannot be read, the window must pass. A start is counted once: a task that
 * the table knows, or knew, is left out of what is read. Where that is not known any more, nothing more is read.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class RateHistory {
  static final int ENDED_MAX = 10_000;

  private final Loop loop;
  private final TaskTable table;
  private final Function<Task, String> limitKey;
  private final Runnable turn;
  private final RateHistoryReader reader;
  /** Tasks with a rate that the table knew, and that have ended. */
  private final Set<TaskId> ended = new HashSet<>();

  private boolean leading;
  private boolean busy;
  private boolean over;

  public RateHistory(TermContext term, TaskTable table) {
    this.loop = term.loop();
    this.table = table;
    this.limitKey = term.settings().limitKey();
    this.turn = term.wakeUp();
    this.reader = new RateHistoryReader(
        term.loop(), term.store(), term.loop()::lasts, this::found, this::reached);
  }

  /** From here on tasks are given out by us, and the dispatcher counts them itself. */
  public void ready() {
    leading = true;
  }

  /** Part of every turn: goes on if that lets anything start. */
  public void check() {
    if (!busy && !over && !unknown().isEmpty()) {
      busy = true;
      reader.further();
    }
  }

  private Set<Rate.Unit> unknown() {
    return table.dispatcher.unknown(loop.time().nanos());
  }

  /** A task has become waiting or held. */
  public void changed(LiveTask live) {
    if (!leading) {
      recall(live.task(), 0);
    }
  }

  /** A task has ended. */
  public void ended(LiveTask live, Task end) {
    if (over || !isRated(end)) {
      return;
    }
    if (!leading) {
      recall(
          end,
          live.task()
              .attempts()); // offered by the last leader, and claimed before that was known here
    }
    ended.add(end.id());
    if (ended.size() > ENDED_MAX) {
      finish();
    }
  }

  private void found(Task task) {
    if (!over && !table.contains(task.id()) && !ended.contains(task.id())) {
      recall(task, 0);
    }
  }

  private void reached(long end, boolean last) {
    busy = false;
    if (over) {
      return;
    }
    if (end != Long.MAX_VALUE) {
      move(EarlierClock.known(loop.time(), end), last);
    }
    if (last) {
      finish();
    }
    check();
  }

  private void move(long since, boolean last) {
    long now = loop.time().nanos();
    boolean helps =
        unknown().stream().anyMatch(window -> since + window.length().toNanos() - now <= 0);
    if (helps || last) {
      table.dispatcher.moveKnown(since);
      turn.run();
    }
  }

  private void finish() {
    over = true;
    ended.clear();
  }

  /** Tells the dispatcher of the attempts that are over, but for so many. */
  private void recall(Task task, int known) {
    if (!isRated(task)) {
      return;
    }
    History history = task.history();
    for (EndedAttempt each : history.kept()) {
      if (each.attempt().number() > known) {
        began(task, each.attempt().assigned());
      }
    }
    // Those between were given out before the last ones.
    for (int i = 0; i < history.dropped(); i++) {
      began(task, history.last().getFirst().attempt().assigned());
    }
  }

  private void began(Task task, Instant assigned) {
    table.dispatcher.recall(
        task.work().limit(),
        limitKey.apply(task),
        EarlierClock.start(loop.time(), assigned),
        loop.time().nanos());
  }

  private static boolean isRated(Task task) {
    return task.work().limit().rate().isPresent();
  }
}
