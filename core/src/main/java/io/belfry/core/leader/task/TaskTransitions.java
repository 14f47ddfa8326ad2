package io.belfry.core.leader.task;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.rescue.TaskRescuer;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Records;
import io.belfry.model.task.Command;
import io.belfry.model.task.Event;
import io.belfry.model.task.Task;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What the leader itself does to a task: cancels it while it waits, ends an attempt that is overdue, changes its priority. One commit
 * each; these are rare. What is taken from dead workers may be much: see {@link TaskRescuer}.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskTransitions {
  private final TermLoop loop;
  private final TermCommitter committer;
  private final TaskTable table;
  private final String writer;
  private final BiConsumer<Key, Task> ended;
  private long endedBatches;

  /**
   * A writer for one term.
   *
   * @param ended receives every task that was ended here, and of the history batch in which it is, or may be
   */
  public TaskTransitions(
      TermContext term, TaskTable table, String writer, BiConsumer<Key, Task> ended) {
    this.loop = term.loop();
    this.committer = term.committer();
    this.table = table;
    this.writer = writer;
    this.ended = ended;
  }

  /** What else belongs into the commit, and who is asked when a guard of it refuses. */
  public interface Terms {
    Terms NONE = commit -> {};

    void addTo(Commit.Builder commit);

    /** Whether it is about this guard; otherwise the task differs from what is known, and is read. */
    default boolean refusedBy(Key key) {
      return false;
    }
  }

  /**
   * Decides the commands in turn and commits what follows; does nothing, and says so, if one is refused or a write of the task is in flight.
   */
  public boolean rewrite(LiveTask live, List<Command> commands, Terms terms, Consumer<Task> then) {
    if (!live.isFree()) {
      return false;
    }
    Optional<Decided> decided =
        Decided.of(live.task(), commands, loop.time().wall(), loop.random());
    if (decided.isEmpty()) {
      return false;
    }
    List<Event> events = decided.get().events();
    table.beginWrite(live);
    table.reader.whole(
        live,
        decided.get().task(),
        whole -> commit(live, new Decided(whole, events), terms, then),
        () -> changed(live, terms));
    return true;
  }

  private void commit(LiveTask live, Decided decided, Terms terms, Consumer<Task> then) {
    Task next = decided.task();
    Key key = Keys.task(next.id());
    Commit.Builder commit = committer.commit().unchanged(key, live.revision());
    Key endedBatch = Keys.freshHistory(writer, next.isFinal() ? ++endedBatches : endedBatches);
    if (next.isFinal()) {
      commit.delete(key).put(endedBatch, Records.encode(new EndedBatch(false, List.of(next))));
    } else {
      commit.put(key, Records.encode(next));
    }
    terms.addTo(commit);
    committer.send(
        commit,
        revision -> {
          table.writeApplied(live, decided, revision);
          notifyEnded(endedBatch, next);
          then.accept(next);
        },
        guard -> {
          notifyEnded(endedBatch, next); // our own commit may have been it, and its answer got lost
          if (terms.refusedBy(guard.key()) && !live.isPending()) {
            table.writeRefused(live);
          } else {
            table.reread(live);
          }
        });
  }

  private void changed(LiveTask live, Terms terms) {
    var unused = terms.refusedBy(Keys.task(live.id()));
    table.reread(live);
  }

  private void notifyEnded(Key endedBatch, Task next) {
    if (next.isFinal()) {
      ended.accept(endedBatch, next);
    }
  }
}
