package io.belfry.core.leader.task;

import io.belfry.core.dispatch.WaitingTask;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.History;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The only place in which a leader creates tasks: for fires, triggers, retries and jobs that run after others.
 *
 * <pre>
 *   fire ──▶ waits at the dispatcher, in its order, until the end of this turn ──match──▶ batch of its worker
 *                      │ no match                                                          │ refused
 *                      └───────────────────────▶ a commit of its own, pending ◀────────────┘
 * </pre>
 *
 * <p>Normally a due task is created as the task of a free worker, in one commit instead of two. Tasks with a limit are not: if the commit
 * were refused, their place under the limit would be free before the store has said what is stored.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskFactory {
  private final TermContext term;
  private final TermCommitter committer;
  private final TaskTable table;
  private final TaskBody body;
  private final BiConsumer<TaskId, CancelRequested> cancel;
  private final List<LiveTask> unassigned = new ArrayList<>();
  private boolean inTurn;

  /**
   * A factory for one term.
   *
   * @param cancel carries out a cancel that was requested while its task was being created
   */
  public TaskFactory(
      TermContext term, TaskTable table, BiConsumer<TaskId, CancelRequested> cancel) {
    this.term = term;
    this.committer = term.committer();
    this.table = table;
    this.body = new TaskBody(term.settings().backpressure().payloads());
    this.cancel = cancel;
  }

  /** The work of a task of the job. */
  public Work work(Job job) {
    return body.work(job, job.work());
  }

  /** The same with other work, which a trigger may bring. */
  public Work work(Job job, Work work) {
    return body.work(job, work);
  }

  /** A new task, pending from this instant on. */
  public Task pending(
      TaskId id,
      Work work,
      Priority priority,
      Instant scheduled,
      Instant due,
      Optional<String> submittedBy) {
    return task(id, work, priority, scheduled, new TaskState.Pending(due), submittedBy);
  }

  /** A new task, pending or skipped. */
  public Task task(
      TaskId id,
      Work work,
      Priority priority,
      Instant scheduled,
      TaskState state,
      Optional<String> submittedBy) {
    return new Task(
        id,
        work,
        scheduled,
        term.now(),
        priority,
        Optional.empty(),
        state,
        Optional.empty(),
        History.NONE,
        submittedBy);
  }

  /** A turn has begun, at the end of which {@link #createUnassigned} is called. */
  public void turnBegins() {
    inTurn = true;
  }

  /** Creates the tasks, as a worker's if that is possible. */
  public void create(Creation creation) {
    if (!creation.mayBeAssigned()
        || creation.tasks().size() != 1
        || !waitForWorker(creation.tasks().getFirst(), creation)) {
      createPending(creation);
    } else if (!inTurn && unassigned.size() == 1) {
      term.wakeUp().run();
    }
  }

  private boolean waitForWorker(Task task, Creation creation) {
    boolean due = task.state() instanceof TaskState.Pending(Instant at) && !at.isAfter(term.now());
    if (!due || table.contains(task.id())) {
      return false;
    }
    var live = new LiveTask(task, Revision.NONE);
    WaitingTask<LiveTask> waiting = table.places.waiting(task, live);
    if (waiting.isLimited()) {
      return false;
    }
    live.create(creation);
    table.tasks.add(live);
    table.dispatcher.add(waiting);
    unassigned.add(live);
    return true;
  }

  /** The turn ends: tasks for which no worker was found are created to wait. */
  public void createUnassigned() {
    inTurn = false;
    for (LiveTask live : unassigned) {
      if (table.dispatcher.remove(live.id()).isPresent()) {
        createPending(live);
      }
    }
    unassigned.clear();
  }

  /** The task is created by a commit of its own: no worker takes it, or the commit with the tasks of a worker was refused. */
  public void createPending(LiveTask live) {
    Creation creation = live.creation();
    if (creation != null) {
      table.tasks.remove(live);
      createPending(creation);
      live.cancel().ifPresent(asked -> cancel.accept(live.id(), asked));
    }
  }

  /** Creates the tasks to wait for workers. */
  public void createPending(Creation creation) {
    Commit.Builder commit = committer.commit().also(creation.rest());
    creation.tasks().forEach(task -> addTo(commit, task));
    committer.send(
        commit,
        revision -> {
          creation.tasks().forEach(task -> table.recordStored(task, revision));
          creation.created().accept(revision);
        },
        creation.refused());
  }

  /** A task that must not exist yet. */
  public static void addTo(Commit.Builder commit, Task task) {
    Key key = Keys.task(task.id());
    commit.absent(key).put(key, Records.encode(task));
  }
}
