package io.belfry.core.leader.task;

import io.belfry.core.dispatch.Admission;
import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Hold;
import io.belfry.core.dispatch.WaitingTask;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Stored;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps what the leader believes of tasks in step with the store, and the dispatcher in step with that.
 *
 * <pre>
 *   scan, news, reports, own commits ──newer revision──▶ pending: waits at the dispatcher
 *                                                        held   : takes up its place
 *                                                        final  : gone, place free
 * </pre>
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskTable {
  private static final int ENDED_MAX = 1000;
  /** Longer than it takes by default until another leads. */
  private static final Duration INTERREGNUM = Duration.ofSeconds(10);

  /** Who claimed a task that is over: it was begun, and counts as that. */
  private static final String SOMEBODY = "?";

  private final TermLoop loop;
  private final LeaderSettings settings;
  /** The revision of our term. */
  private final long since;

  public final TaskEvents events;
  public final TaskReader reader;
  private final Runnable wake;
  public final TaskIndex tasks = new TaskIndex();
  public final Dispatcher<LiveTask> dispatcher;
  public final PayloadBudget payloads;
  private final TaskListener listener;
  /** Word of their submission may still be on its way. */
  private final RecentlyEnded endedLately = new RecentlyEnded(ENDED_MAX);

  private long arrivals;

  /**
   * A table without tasks.
   *
   * @param since revision of the term
   */
  public TaskTable(
      TermContext term, long since, Dispatcher<LiveTask> dispatcher, TaskListener listener) {
    this.loop = term.loop();
    this.settings = term.settings();
    this.since = since;
    this.events = new TaskEvents(term.observer());
    this.reader = new TaskReader(loop, term.store());
    this.dispatcher = dispatcher;
    this.wake = term.wakeUp();
    this.listener = listener;
    this.payloads = new PayloadBudget(settings.backpressure().bodyBytes());
  }

  /** The whole task as it stands in the store by this revision: from a scan, a read, news or a commit of our own. */
  public LiveTask stands(Task task, long revision) {
    LiveTask live = tasks.find(task.id());
    if (live == null) {
      live = tasks.add(task, revision);
      if (live.isPending() && task.attempts() == 0 && isNews(task, revision)) {
        events.submitted(task);
      }
      settle(live);
    } else if (revision > live.revision) {
      if (live.away) {
        live.heard(task, revision, true);
      } else {
        live.withoutPayload = false;
        change(live, task, revision);
      }
    }
    return live;
  }

  /** What is older than this term was announced by the last leader, unless it came when there was none. */
  private boolean isNews(Task task, long revision) {
    return revision > since || task.created().isAfter(loop.time().wall().minus(INTERREGNUM));
  }

  /** Our own commit over the task has ended: it is this now, unless something newer was heard meanwhile. */
  public void settled(LiveTask live, Task task, long revision) {
    live.away = false;
    if (task.isFinal()) {
      ended(live, task);
      return;
    }
    live.withoutPayload &= revision == live.revision && live.offer != null;
    change(live, task, revision);
    catchUp(live, revision);
  }

  /** Nothing came of our own commit over the task: it is as it was, unless something newer was heard meanwhile. */
  public void returned(LiveTask live) {
    live.away = false;
    catchUp(live, live.revision);
  }

  private void catchUp(LiveTask live, long revision) {
    live.takeHeard(revision).ifPresent(later -> {
      if (later.whole()) {
        stands(later.task(), later.revision());
      } else {
        reported(later.task(), later.revision());
      }
    });
    readIfDoubted(live);
  }

  private void readIfDoubted(LiveTask live) {
    if (live.doubted && !live.away && tasks.find(live.task.id()) == live) {
      refresh(live);
    }
  }

  /** What a worker wrote, told without what weighs. */
  void reported(Task withoutPayload, long revision) {
    LiveTask live = tasks.find(withoutPayload.id());
    if (live == null || revision <= live.revision) {
      return; // over for us already, or known
    }
    if (live.away) {
      live.heard(withoutPayload, revision, false);
      return;
    }
    switch (withoutPayload.state()) {
      case TaskState.Final unused -> ended(live, withoutPayload);
      case TaskState.Pending unused -> refresh(live);
      case TaskState.Held held -> {
        change(live, live.as(held, withoutPayload), revision);
      }
    }
  }

  /** Something is under way over the task: nobody else touches it meanwhile, and it is not given out. */
  public void takeAway(LiveTask live) {
    live.away = true;
    dispatcher.remove(live.task.id());
  }

  /** The task is not as it was believed: reads it, and takes in what stands there. Nobody touches it meanwhile. */
  public void refresh(LiveTask live) {
    refresh(List.of(live));
  }

  /** The same for many, in one question. */
  public void refresh(List<LiveTask> all) {
    all.forEach(live -> {
      live.doubted = false;
      takeAway(live);
    });
    reader.read(
        all,
        found -> all.forEach(
            live -> refreshed(live, Optional.ofNullable(found.get(Keys.task(live.task.id()))))));
  }

  private void refreshed(LiveTask live, Optional<Entry> found) {
    if (tasks.find(live.task.id()) != live) {
      return;
    }
    if (found.isEmpty()) {
      gone(live);
    } else {
      // One that cannot be read stays away: nobody touches it, but it stands.
      long revision = found.get().revision();
      Legible.read(found.get(), Stored::task)
          .ifPresentOrElse(task -> settled(live, task, revision), () -> live.revision = revision);
    }
    wake.run();
  }

  /** A task that may stand in the store without our knowing; then it is known, or was not there. */
  public void takeIn(TaskId id, Runnable then) {
    reader.read(id, found -> {
      found
          .flatMap(entry -> Legible.read(entry, Stored::task))
          .ifPresent(task -> stands(task, found.orElseThrow().revision()));
      if (found.isPresent()) {
        wake.run();
      }
      then.run();
    });
  }

  /** A guard of it was refused: it is read, unless a write of it is in flight, which will tell. */
  public void recheck(TaskId id) {
    LiveTask live = tasks.find(id);
    if (live == null) {
      takeIn(id, () -> {});
    } else if (!live.away) {
      refresh(live);
    }
  }

  /** A scan that should have found it did not: it is over, unless a commit of ours that creates it, or whose answer is to come, knows more. */
  void missing(LiveTask live) {
    if (live.away) {
      live.doubted = true;
    } else {
      gone(live);
    }
  }

  /** It is over, and nobody told how. */
  void gone(LiveTask live) {
    live.away = false;
    forget(live);
    unoffer(live, Optional.of(SOMEBODY));
    release(live);
    listener.ended(live, live.task);
  }

  private void change(LiveTask live, Task task, long revision) {
    if (task.isFinal()) {
      ended(live, task);
      return;
    }
    if (live.offer != null && revision == live.revision) {
      listener.changed(live); // it may still be claimed
      return;
    }
    Task before = live.task;
    boolean otherAttempt =
        !before.token().equals(task.token()) || task.attempts() != before.attempts();
    if (live.hold != null && (otherAttempt || task.state() instanceof TaskState.Pending)) {
      release(live);
    }
    if (before.state() instanceof TaskState.Assigned && task.state() instanceof TaskState.Running) {
      live.heldSince = loop.time().nanos();
    }
    dispatcher.remove(task.id());
    tasks.change(live, task, revision);
    unoffer(live, live.holder());
    events.changed(before, task);
    settle(live);
  }

  /** It has another revision, or is over, and cannot be claimed by the offer any more: somebody has, or nobody ever will. */
  private void unoffer(LiveTask live, Optional<String> claimant) {
    Admission<LiveTask> offer = live.offer;
    if (offer == null) {
      return;
    }
    live.offer = null;
    if (claimant.isPresent()) {
      live.hold = dispatcher.claimed(offer, claimant.get());
      live.heldSince = loop.time().nanos();
      live.unnamed = 0;
    } else {
      dispatcher.withdraw(offer);
    }
  }

  /** Lets an offered task wait again. A claim that we have not heard of refuses whatever comes of that. */
  public void takeBack(LiveTask live) {
    unoffer(live, Optional.empty());
    settle(live);
  }

  /** Lets a task wait, or take up its place, as its state says. */
  private void settle(LiveTask live) {
    if (live.isPending()) {
      payloads.settle(live);
      dispatcher.add(WaitingTask.of(
          DueTime.byOurClock(live.task, loop.time().wall()),
          live.revision,
          arrival(),
          settings.limitKey(),
          live));
    } else {
      takeUp(live);
      payloads.settle(live);
    }
    listener.changed(live);
  }

  long arrival() {
    return arrivals++;
  }

  private void takeUp(LiveTask live) {
    if (live.hold == null) {
      WaitingTask<LiveTask> as =
          WaitingTask.of(live.task, live.revision, 0, settings.limitKey(), live);
      live.hold = new Hold(live.holder().orElseThrow(), as.job(), as.limit(), as.limitKey());
      live.heldSince = loop.time().nanos();
      dispatcher.holds(live.hold, EarlierClock.start(loop.time(), live.task), live.heldSince);
    }
  }

  private void ended(LiveTask live, Task end) {
    live.away = false;
    Task before = live.task;
    forget(live);
    unoffer(live, end.worker().filter(worker -> end.attempts() > before.attempts()));
    Hold hold = live.hold;
    live.hold = null;
    if (hold != null) {
      end.history()
          .latest()
          .filter(last -> end.state() instanceof TaskState.Succeeded)
          .flatMap(EndedAttempt::took)
          .ifPresentOrElse(
              took -> dispatcher.ended(hold, took.toNanos()), () -> dispatcher.released(hold));
    }
    events.changed(before, end);
    listener.ended(live, end);
  }

  private void forget(LiveTask live) {
    payloads.release(live);
    dispatcher.remove(live.task.id());
    tasks.remove(live);
    endedLately.add(live.task.id());
  }

  private void release(LiveTask live) {
    if (live.hold != null) {
      dispatcher.released(live.hold);
      live.hold = null;
    }
  }

  /** An assignment has been committed: what the match took at the dispatcher is the task's place now. */
  public void assigned(LiveTask live, Hold hold, Task task, long revision) {
    live.hold = hold;
    live.heldSince = loop.time().nanos();
    live.withoutPayload = false;
    tasks.change(live, task, revision);
    payloads.settle(live);
    live.unnamed = 0;
    live.away = false;
    events.scheduled(task);
    listener.changed(live);
    live.takeHeard(revision).ifPresent(later -> reported(later.task(), later.revision()));
    readIfDoubted(live);
  }

  public boolean hasEnded(TaskId id) {
    return endedLately.contains(id);
  }

  public boolean knows(TaskId id) {
    return tasks.find(id) != null;
  }
}
