package io.belfry.core.reign;

import io.belfry.core.loop.Loop;
import io.belfry.core.record.Inbox;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Command;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.task.Token;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Ends attempts whose timeout has passed without a word of their worker, which is there but does not do its part.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Overdue {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private record Deadline(long nanos, TaskId task, Token token) {}

  private final Loop loop;
  private final TaskBook book;
  private final Rewriting rewriting;
  private final Assigning assigning;
  private final Duration patience;
  private final Runnable changed;
  private final PriorityQueue<Deadline> deadlines =
      new PriorityQueue<>(Comparator.comparingLong(Deadline::nanos));

  Overdue(
      Loop loop,
      TaskBook book,
      Rewriting rewriting,
      Assigning assigning,
      Duration patience,
      Runnable changed) {
    this.loop = loop;
    this.book = book;
    this.rewriting = rewriting;
    this.assigning = assigning;
    this.patience = patience;
    this.changed = changed;
    book.onChange(this::note);
  }

  private void note(LiveTask live) {
    if (live.task.state() instanceof TaskState.Held held) {
      long nanos =
          loop.time().nanos() + live.task.work().timeout().plus(patience).toNanos();
      deadlines.add(new Deadline(nanos, live.task.id(), held.attempt().token()));
    }
  }

  /** To be called about once a second. */
  void look() {
    long now = loop.time().nanos();
    while (!deadlines.isEmpty() && deadlines.peek().nanos - now <= 0) {
      Deadline passed = deadlines.poll();
      LiveTask live = book.tasks.find(passed.task);
      if (live != null
          && live.task.state() instanceof TaskState.Held held
          && held.attempt().token().equals(passed.token)) {
        end(live, held, passed);
      }
    }
  }

  private void end(LiveTask live, TaskState.Held held, Deadline passed) {
    // Once more in a while, should it be away, or not overdue by the calendar.
    deadlines.add(new Deadline(passed.nanos + LOOK.toNanos() * 5, passed.task, passed.token));
    rewriting.rewrite(
        live, List.of(new Command.TimeOut(passed.token)), Rewriting.Terms.NONE, ended -> {
          assigning.tell(
              held.attempt().worker(),
              List.of(new Inbox.Order.Stop(
                  passed.task,
                  passed.token.value(),
                  new CancelRequest(
                      "belfry", "its timeout has passed", loop.time().wall()))));
          changed.run();
        });
  }
}
