package io.belfry.core.leader.task;

import io.belfry.core.dispatch.Admission;
import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Reservation;
import io.belfry.core.dispatch.UnmatchedCount;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.model.task.Event;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The only owner of what the leader knows of tasks: keeps it in step with the store, and the dispatcher in step with that.
 *
 * <pre>
 *   scan, news, reports, own commits ──newer revision──▶ pending: waits at the dispatcher
 *                                                        held   : takes up its place
 *                                                        final  : removed, place free
 * </pre>
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskTable {
  private static final int RECENTLY_ENDED_MAX = 1000;
  /** By default a new leader is elected in less time. */
  private static final Duration WITHOUT_LEADER = Duration.ofSeconds(10);

  /** Stands for the worker of a task that has ended although no report says so: it was begun, and counts as that. */
  private static final String UNKNOWN_WORKER = "?";

  private final TermLoop loop;
  private final LeaderSettings settings;
  /** The revision of this term. */
  private final long since;

  private final TaskEvents events;
  private final Runnable wakeUp;
  private final TaskListener listener;
  /** The news of their submission may still be on its way. */
  private final RecentlyEnded recentlyEnded = new RecentlyEnded(RECENTLY_ENDED_MAX);

  public final TaskIndex tasks = new TaskIndex();

  public final TaskReader reader;
  public final Dispatcher<LiveTask> dispatcher;
  public final PayloadBudget payloads;
  final TaskPlaces places;

  /**
   * A table without tasks.
   *
   * @param since revision of the term
   * @param keyed receives each task that was submitted with an idempotency key
   */
  public TaskTable(
      TermContext term,
      long since,
      Dispatcher<LiveTask> dispatcher,
      TaskListener listener,
      Runnable keyed) {
    this.loop = term.loop();
    this.settings = term.settings();
    this.since = since;
    this.events = new TaskEvents(term.observer(), keyed);
    this.reader = new TaskReader(loop, term.store());
    this.dispatcher = dispatcher;
    this.places = new TaskPlaces(loop.time(), dispatcher, settings.limitKey());
    this.wakeUp = term.wakeUp();
    this.listener = listener;
    this.payloads = new PayloadBudget(settings.backpressure().bodyBytes());
  }

  public boolean contains(TaskId id) {
    return tasks.find(id) != null;
  }

  /** Whether it was known, and has ended. */
  boolean hasEndedRecently(TaskId id) {
    return recentlyEnded.contains(id);
  }

  /** Whether an entry of the store is newer than what is known of its task. */
  public boolean differs(TaskId id, long revision) {
    LiveTask live = tasks.find(id);
    return live == null ? !hasEndedRecently(id) : live.isFree() && live.revision() < revision;
  }

  /** Whether so much waits that the leader itself starts nothing more. */
  public boolean isFull() {
    return payloads.isFull() || tasks.areWaiting(settings.backpressure().firesMax());
  }

  /** A whole task as it is stored at this revision: from a scan, a read, news or a commit of the leader. */
  public LiveTask recordStored(Task task, long revision) {
    LiveTask live = tasks.find(task.id());
    if (live == null) {
      live = new LiveTask(task, revision);
      tasks.add(live);
      if (live.isPending() && task.attempts() == 0 && isNews(task, revision)) {
        events.submitted(task);
      }
      settle(live);
    } else if (revision > live.revision()) {
      if (live.isFree()) {
        live.withoutPayload(false);
        change(live, task, revision, null);
      } else {
        live.observe(task, revision, true);
      }
    }
    return live;
  }

  /** What is older than this term was published by the last leader, unless it was written when there was none. */
  private boolean isNews(Task task, long revision) {
    return revision > since || task.created().isAfter(loop.time().wall().minus(WITHOUT_LEADER));
  }

  /** What a worker wrote, without the payload. */
  void recordReported(Task report, long revision) {
    LiveTask live = tasks.find(report.id());
    if (live == null || revision <= live.revision()) {
      return; // ended already, or known
    }
    if (!live.isFree()) {
      live.observe(report, revision, false);
      return;
    }
    switch (report.state()) {
      case TaskState.Final unused -> end(live, report, null);
      case TaskState.Pending unused -> reread(live);
      case TaskState.Held held -> change(live, live.as(held, report), revision, null);
    }
  }

  /** A worker reported under an old token, which was not accepted. */
  void recordRejected(TaskId task, long token) {
    events.rejected(task, token);
  }

  /** Tasks have waited for long, and no worker may take them. */
  public void recordUnmatched(UnmatchedCount unserved) {
    events.unmatched(unserved);
  }

  /** A write or a read of the leader over the task begins: no other part touches it meanwhile, and it is not assigned. */
  public void beginWrite(LiveTask live) {
    live.beginWrite();
    dispatcher.remove(live.id());
  }

  /** The dispatcher has matched the task with a worker, and the assignment is about to be written. */
  public void beginAssignment(LiveTask live) {
    live.beginWrite();
  }

  /** The leader's own commit over the task was applied. */
  public void writeApplied(LiveTask live, Decided decided, long revision) {
    written(live, decided.task(), revision, decided.events());
  }

  private void written(LiveTask live, Task task, long revision, @Nullable List<Event> decided) {
    LiveTask.Meanwhile meanwhile = live.endWrite();
    if (task.isFinal()) {
      end(live, task, decided);
      return;
    }
    live.withoutPayload(live.isWithoutPayload() && revision == live.revision() && live.isOffered());
    change(live, task, revision, decided);
    catchUp(live, meanwhile, revision);
  }

  /** The leader's own commit over the task was refused by another guard: the task is as it was. */
  public void writeRefused(LiveTask live) {
    catchUp(live, live.endWrite(), live.revision());
  }

  /** Takes in what was observed while a write was in flight. */
  private void catchUp(LiveTask live, LiveTask.Meanwhile meanwhile, long revision) {
    meanwhile.newer().filter(newer -> newer.revision() > revision).ifPresent(this::record);
    if (meanwhile.missedByScan() && tasks.find(live.id()) == live) {
      if (live.isFree()) {
        reread(live);
      } else {
        live.missedByScan(true);
      }
    }
  }

  private void record(LiveTask.Newer newer) {
    if (newer.whole()) {
      recordStored(newer.task(), newer.revision());
    } else {
      recordReported(newer.task(), newer.revision());
    }
  }

  /** An assignment was committed: what the match took at the dispatcher is the task's place now. */
  public void recordAssigned(LiveTask live, Reservation hold, Task task, long revision) {
    Creation creation = live.creation();
    if (creation != null) {
      events.submitted(creation.tasks().getFirst());
      creation.created().accept(revision);
    }
    places.assigned(live, hold);
    live.withoutPayload(false);
    tasks.change(live, task, revision);
    payloads.settle(live);
    LiveTask.Meanwhile meanwhile = live.endWrite();
    events.assigned(task);
    listener.changed(live);
    catchUp(live, meanwhile, revision);
  }

  /**
   * The commit of an assignment was refused: the task differs from what was known. Most likely it is the leader's own commit that is stored,
   * and its answer was lost. So the task keeps its place until it was read: otherwise another task would get its place under a limit.
   */
  public void assignmentRefused(LiveTask live, Reservation hold) {
    live.hold = hold;
    reread(live);
  }

  /** Reads the task, which differs from what was known. No other part touches it meanwhile. */
  public void reread(LiveTask live) {
    reread(List.of(live));
  }

  /** The same for many, in one read. */
  public void reread(List<LiveTask> all) {
    all.forEach(live -> {
      beginWrite(live);
      live.missedByScan(false);
    });
    reader.read(
        all,
        found -> all.forEach(
            live -> reread(live, Optional.ofNullable(found.get(Keys.task(live.id()))))));
  }

  private void reread(LiveTask live, Optional<Entry> found) {
    if (tasks.find(live.id()) != live) {
      return;
    }
    if (found.isEmpty()) {
      recordVanished(live);
    } else {
      // No part touches a record that cannot be read; but it exists.
      long revision = found.get().revision();
      SafeDecoder.read(found.get(), Stored::task)
          .ifPresentOrElse(
              task -> written(live, task, revision, null), () -> live.revision(revision));
    }
    wakeUp.run();
  }

  /** Reads a task that may be stored without being known here; it is known afterwards, or did not exist. */
  public void load(TaskId id, Runnable then) {
    reader.read(id, found -> {
      found
          .flatMap(entry -> SafeDecoder.read(entry, Stored::task))
          .ifPresent(task -> recordStored(task, found.orElseThrow().revision()));
      if (found.isPresent()) {
        wakeUp.run();
      }
      then.run();
    });
  }

  /** A guard of the task did not hold: it is read, unless a write of it is in flight, whose answer decides. */
  public void recheck(TaskId id) {
    LiveTask live = tasks.find(id);
    if (live == null) {
      load(id, () -> {});
    } else if (live.isFree()) {
      reread(live);
    }
  }

  /** A scan should have found the task and did not: it has ended, unless a commit of the leader is in flight, whose answer decides. */
  void missedByScan(LiveTask live) {
    if (live.isFree()) {
      recordVanished(live);
    } else {
      live.missedByScan(true);
    }
  }

  /** The task has ended without a report. */
  private void recordVanished(LiveTask live) {
    live.endWrite();
    forget(live);
    places.endOffer(live, Optional.of(UNKNOWN_WORKER));
    places.release(live);
    listener.ended(live, live.task());
  }

  /** The task is as given now. What was decided here is published; otherwise the steps that lead to it. */
  private void change(LiveTask live, Task task, long revision, @Nullable List<Event> decided) {
    if (task.isFinal()) {
      end(live, task, decided);
      return;
    }
    if (live.isOffered() && revision == live.revision()) {
      listener.changed(live); // a worker may still claim it
      return;
    }
    Task before = live.task();
    boolean otherAttempt =
        !before.token().equals(task.token()) || task.attempts() != before.attempts();
    if (live.hold != null && (otherAttempt || task.state() instanceof TaskState.Pending)) {
      places.release(live);
    }
    if (before.state() instanceof TaskState.Assigned && task.state() instanceof TaskState.Running) {
      live.heldSince(loop.time().nanos());
    }
    dispatcher.remove(task.id());
    tasks.change(live, task, revision);
    places.endOffer(live, live.holder());
    publish(before, task, decided);
    settle(live);
  }

  private void publish(Task before, Task after, @Nullable List<Event> decided) {
    if (decided == null) {
      events.read(before, after);
    } else {
      events.decided(decided, after);
    }
  }

  /** Workers may claim the task. */
  public void offer(LiveTask live, Admission<LiveTask> admission) {
    live.offer(admission);
  }

  /** Lets an offered task wait again. A claim that is not known yet refuses whatever comes of that. */
  public void withdrawOffer(LiveTask live) {
    places.endOffer(live, Optional.empty());
    settle(live);
  }

  /** Lets a task wait, or take up its place, as its state says. */
  private void settle(LiveTask live) {
    if (live.isPending()) {
      payloads.settle(live);
      places.wait(live);
    } else {
      places.take(live);
      payloads.settle(live);
    }
    listener.changed(live);
  }

  private void end(LiveTask live, Task end, @Nullable List<Event> decided) {
    live.endWrite();
    Task before = live.task();
    forget(live);
    places.endOffer(live, end.worker().filter(worker -> end.attempts() > before.attempts()));
    places.leave(live, end);
    publish(before, end, decided);
    listener.ended(live, end);
  }

  private void forget(LiveTask live) {
    payloads.release(live);
    dispatcher.remove(live.id());
    tasks.remove(live);
    recentlyEnded.add(live.id());
  }

  /** A cancel of the task was requested; the newer of two counts. */
  public void requestCancel(LiveTask live, CancelRequested asked) {
    live.cancel(asked);
  }

  /** So many heartbeats of its worker in a row have not named the task. */
  public void missedHeartbeats(LiveTask live, int count) {
    live.missedHeartbeats(count);
  }

  /** A round of the reconciler has found the task in the store. */
  public void seenInRound(TaskId id, long round) {
    LiveTask live = tasks.find(id);
    if (live != null) {
      live.seenInRound = round;
    }
  }
}
