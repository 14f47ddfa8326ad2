package io.belfry.core.leader.task;

import io.belfry.core.dispatch.Admission;
import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Reservation;
import io.belfry.core.dispatch.WaitingTask;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.model.time.Time;
import java.util.Optional;
import java.util.function.Function;

/**
 * The places of tasks at the dispatcher: in its queues while they wait, at a worker and under limits while they are held or offered.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class TaskPlaces {
  private final Time time;
  private final Dispatcher<LiveTask> dispatcher;
  private final Function<Task, String> limitKey;
  private long arrivals;

  TaskPlaces(Time time, Dispatcher<LiveTask> dispatcher, Function<Task, String> limitKey) {
    this.time = time;
    this.dispatcher = dispatcher;
    this.limitKey = limitKey;
  }

  /** The task waits, behind those that came before it. */
  void wait(LiveTask live) {
    dispatcher.add(waiting(DueTime.byOurClock(live.task(), time.wall()), live));
  }

  WaitingTask<LiveTask> waiting(Task task, LiveTask live) {
    return WaitingTask.of(task, live.revision(), arrivals++, limitKey, live);
  }

  /** The task is held: it takes up its place, unless it has one. */
  void take(LiveTask live) {
    if (live.hold == null) {
      WaitingTask<LiveTask> as = WaitingTask.of(live.task(), live.revision(), 0, limitKey, live);
      live.hold = new Reservation(live.holder().orElseThrow(), as.job(), as.limit(), as.limitKey());
      live.heldSince(time.nanos());
      dispatcher.holds(live.hold, EarlierClock.start(time, live.task()), live.heldSinceNanos());
    }
  }

  /** What a match took for the task is its place now. */
  void assigned(LiveTask live, Reservation hold) {
    live.hold = hold;
    live.heldSince(time.nanos());
    live.missedHeartbeats(0);
  }

  /**
   * The task has another revision, or has ended, and cannot be claimed by the offer any more.
   *
   * @param claimant who has claimed it; empty: no worker ever will
   */
  void endOffer(LiveTask live, Optional<String> claimant) {
    if (!live.isOffered()) {
      return;
    }
    Admission<LiveTask> offer = live.admission();
    live.endOffer();
    if (claimant.isPresent()) {
      assigned(live, dispatcher.claimed(offer, claimant.get()));
    } else {
      dispatcher.withdraw(offer);
    }
  }

  /** The attempt is over. */
  void release(LiveTask live) {
    if (live.hold != null) {
      dispatcher.released(live.hold);
      live.hold = null;
    }
  }

  /** The task has ended; how long its code ran counts for the balance of load. */
  void leave(LiveTask live, Task end) {
    Reservation hold = live.hold;
    live.hold = null;
    if (hold != null) {
      end.history()
          .latest()
          .filter(last -> end.state() instanceof TaskState.Succeeded)
          .flatMap(EndedAttempt::took)
          .ifPresentOrElse(
              took -> dispatcher.ended(hold, took.toNanos()), () -> dispatcher.released(hold));
    }
  }
}
