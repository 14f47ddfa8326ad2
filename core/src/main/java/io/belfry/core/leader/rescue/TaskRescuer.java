package io.belfry.core.leader.rescue;

import io.belfry.core.commit.CommitLimits;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.Decided;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Records;
import io.belfry.core.record.Weight;
import io.belfry.model.task.Command;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Takes tasks from workers whose lease has ended: many in one commit, a few commits in flight, one commit in each step of the loop. So
 * what is due while many workers die together waits for a few commits, and not for one of each task.
 *
 * <pre>
 *   orphaned ──▶ queue ──step──▶ decide, as many as fit ──▶ commit(tasks unchanged, workers absent): tasks, ended tasks as one batch
 *       ▲                                                  │ refused by a worker that is back: all are checked after a while
 *       └──────── those that are still orphaned ◀──────────┘ refused by a task: all of the commit are read
 * </pre>
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskRescuer {
  static final int COMMITS_IN_FLIGHT_MAX = 4;

  /** A task, and what it is to become. */
  private record Taken(LiveTask live, Decided decided, String worker) {
    Task next() {
      return decided.task();
    }
  }

  private final TermLoop loop;
  private final TermCommitter committer;
  private final TaskTable table;
  private final String writer;
  private final BiConsumer<Key, List<Task>> ended;
  private final Runnable changed;
  private final Set<LiveTask> queue = new LinkedHashSet<>();
  private final Predicate<LiveTask> orphaned;
  private int inFlight;
  private long endedBatches;
  private boolean stepWanted;

  /**
   * Takes nothing yet.
   *
   * @param writer name of the history batches
   * @param ended receives tasks that were ended here, and of the history batch in which they are, or may be
   * @param orphaned whether a task is to be taken from its worker; asked again right before
   */
  public TaskRescuer(
      TermContext term,
      TaskTable table,
      String writer,
      BiConsumer<Key, List<Task>> ended,
      Predicate<LiveTask> orphaned) {
    this.loop = term.loop();
    this.committer = term.committer();
    this.table = table;
    this.writer = writer;
    this.ended = ended;
    this.changed = term.wakeUp();
    this.orphaned = orphaned;
  }

  /** The task is to be taken from its worker, in its turn. */
  void add(LiveTask live) {
    queue.add(live);
    stepSoon();
  }

  private void stepSoon() {
    if (!stepWanted && inFlight < COMMITS_IN_FLIGHT_MAX && !queue.isEmpty()) {
      stepWanted = true;
      loop.post(this::step); // behind what else is to be done: fires come in between
    }
  }

  private void step() {
    stepWanted = false;
    List<Taken> some = next();
    if (!some.isEmpty()) {
      inFlight++;
      some.forEach(taken -> table.beginWrite(taken.live));
      table.reader.whole(
          some.stream().map(Taken::live).toList(),
          whole -> commit(new ArrayDeque<>(whole(some, whole))));
    }
    stepSoon();
  }

  private List<Taken> next() {
    var some = new ArrayList<Taken>();
    long bytes = 0;
    Iterator<LiveTask> waiting = queue.iterator();
    while (waiting.hasNext() && some.size() < CommitLimits.RESCUE.items()) {
      LiveTask live = waiting.next();
      Optional<Taken> taken = isFree(live) ? decide(live) : Optional.empty();
      if (taken.isPresent()) {
        bytes += Weight.of(taken.get().next());
        if (!some.isEmpty() && bytes > CommitLimits.RESCUE.bytes()) {
          break;
        }
        some.add(taken.get());
      }
      waiting.remove();
    }
    return some;
  }

  private boolean isFree(LiveTask live) {
    return live.isFree() && table.tasks.find(live.id()) == live && orphaned.test(live);
  }

  private Optional<Taken> decide(LiveTask live) {
    if (!(live.task().state() instanceof TaskState.Held held)) {
      return Optional.empty();
    }
    String worker = held.attempt().worker();
    var commands = new ArrayList<Command>();
    live.cancel()
        .ifPresent(asked -> commands.add(
            new Command.Cancel(asked.request().by(), asked.request().reason())));
    commands.add(
        new Command.Rescue(held.attempt().token(), "the lease of worker " + worker + " has ended"));
    return Decided.of(live.task(), commands, loop.time().wall(), loop.random())
        .map(decided -> new Taken(live, decided, worker));
  }

  /** With the work that the leader does not keep; what differs from the store is read again, and left out. */
  private List<Taken> whole(List<Taken> some, List<Optional<Task>> read) {
    var all = new ArrayList<Taken>();
    for (int i = 0; i < some.size(); i++) {
      Taken taken = some.get(i);
      if (read.get(i).isPresent()) {
        Decided whole = taken.decided.withWork(read.get(i).get().work());
        all.add(new Taken(taken.live, whole, taken.worker));
      } else {
        table.reread(taken.live);
      }
    }
    return all;
  }

  /** As many as fit into a commit, which shows only now that they are whole; then the rest. */
  private void commit(Deque<Taken> all) {
    if (all.isEmpty()) {
      inFlight--;
      stepSoon();
      return;
    }
    var some = new ArrayList<Taken>();
    long bytes = 0;
    for (Taken next = all.peek(); next != null; next = all.peek()) {
      bytes += Weight.of(next.next());
      if (!some.isEmpty() && bytes > CommitLimits.RESCUE.bytes()) {
        break;
      }
      some.add(all.remove());
    }
    commit(some, () -> commit(all));
  }

  private void commit(List<Taken> some, Runnable answered) {
    Commit.Builder commit = committer.commit();
    var workers = new LinkedHashSet<String>();
    var over = new ArrayList<Task>();
    for (Taken taken : some) {
      Key key = Keys.task(taken.next().id());
      commit.unchanged(key, taken.live.revision());
      if (taken.next().isFinal()) {
        over.add(taken.next());
        commit.delete(key);
      } else {
        commit.put(key, Records.encode(taken.next()));
      }
      workers.add(taken.worker);
    }
    workers.forEach(worker -> commit.absent(Keys.worker(worker)));
    Key endedBatch = Keys.freshHistory(writer, over.isEmpty() ? endedBatches : ++endedBatches);
    if (!over.isEmpty()) {
      commit.put(endedBatch, Records.encode(new EndedBatch(false, over)));
    }
    committer.send(
        commit,
        revision -> {
          some.forEach(taken -> table.writeApplied(taken.live, taken.decided, revision));
          notifyEnded(endedBatch, over);
          answered.run();
          changed.run();
        },
        guard -> {
          notifyEnded(endedBatch, over); // our own commit may have been it, and its answer got lost
          if (guard.key().space().equals(Keys.WORKERS)) {
            // It keeps what it holds, unless it has left again.
            some.forEach(taken -> table.writeRefused(taken.live));
            loop.retry(() -> some.forEach(taken -> again(taken.live)));
          } else {
            table.reread(some.stream().map(Taken::live).toList());
          }
          answered.run();
        });
  }

  private void again(LiveTask live) {
    if (isFree(live)) {
      add(live);
    }
  }

  private void notifyEnded(Key endedBatch, List<Task> over) {
    if (!over.isEmpty()) {
      ended.accept(endedBatch, over);
    }
  }
}
