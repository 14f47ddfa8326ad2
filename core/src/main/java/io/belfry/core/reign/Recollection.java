package io.belfry.core.reign;

import io.belfry.core.loop.Loop;
import io.belfry.core.retain.Rewind;
import io.belfry.model.job.Rate;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.History;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Store;
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
 * <p>Unfinished tasks tell their attempts for nothing. History is read only while a task waits for a window that is not known, and no
 * further than that takes; where it has been forgotten or cannot be read, the window must pass. A start is counted once: a task that
 * the book knows, or knew, is left out of what is read. Where that cannot be told any more, nothing more is read.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Recollection {
  static final int ENDED_MAX = 10_000;

  private final Loop loop;
  private final TaskBook book;
  private final Function<Task, String> limitKey;
  private final Runnable turn;
  private final Rewind rewind;
  /** Tasks with a rate that the book knew, and that are over. */
  private final Set<TaskId> ended = new HashSet<>();

  private boolean leading;
  private boolean busy;
  private boolean over;

  Recollection(
      Loop loop, Store store, TaskBook book, Function<Task, String> limitKey, Runnable turn) {
    this.loop = loop;
    this.book = book;
    this.limitKey = limitKey;
    this.turn = turn;
    this.rewind = new Rewind(loop, store, book::leads, this::found, this::reached);
    book.onChange(live -> {
      if (!leading) {
        recall(live.task, 0);
      }
    });
    book.onEnd(this::ended);
  }

  /** From here on tasks are given out by us, and the dispatcher counts them itself. */
  void ready() {
    leading = true;
  }

  /** Part of every turn: goes on if that lets anything start. */
  void look() {
    if (!busy && !over && !unknown().isEmpty()) {
      busy = true;
      rewind.further();
    }
  }

  private Set<Rate.Unit> unknown() {
    return book.dispatcher.unknown(loop.time().nanos());
  }

  private void ended(LiveTask live, Task end) {
    if (over || !isRated(end)) {
      return;
    }
    if (!leading) {
      recall(
          end,
          live.task.attempts()); // offered by the last leader, and claimed before we heard of it
    }
    ended.add(end.id());
    if (ended.size() > ENDED_MAX) {
      finish();
    }
  }

  private void found(Task task) {
    if (!over && !book.knows(task.id()) && !ended.contains(task.id())) {
      recall(task, 0);
    }
  }

  private void reached(long end, boolean last) {
    busy = false;
    if (over) {
      return;
    }
    if (end != Long.MAX_VALUE) {
      move(Bygone.known(loop.time(), end), last);
    }
    if (last) {
      finish();
    }
    look();
  }

  private void move(long since, boolean last) {
    long now = loop.time().nanos();
    boolean helps =
        unknown().stream().anyMatch(window -> since + window.length().toNanos() - now <= 0);
    if (helps || last) {
      book.dispatcher.moveKnown(since);
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
    book.dispatcher.recall(
        task.work().limit(),
        limitKey.apply(task),
        Bygone.start(loop.time(), assigned),
        loop.time().nanos());
  }

  private static boolean isRated(Task task) {
    return task.work().limit().rate().isPresent();
  }
}
