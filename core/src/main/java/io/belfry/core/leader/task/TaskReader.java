package io.belfry.core.leader.task;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads stored tasks while the term lasts. Threading: confined to the leader's loop. */
public final class TaskReader {

  private final TermLoop loop;
  private final Store store;

  TaskReader(TermLoop loop, Store store) {
    this.loop = loop;
    this.store = store;
  }

  /** Asks the store until it answers. */
  public void read(TaskId id, Consumer<Optional<Entry>> then) {
    loop.read(
        () -> store.get(List.of(Keys.task(id))),
        found -> then.accept(found.stream().findFirst()));
  }

  /** The same for many, in one question. */
  public void read(List<LiveTask> tasks, Consumer<Map<Key, Entry>> then) {
    List<Key> keys = tasks.stream().map(live -> Keys.task(live.id())).toList();
    loop.read(() -> store.get(keys), found -> {
      Map<Key, Entry> byKey = new HashMap<>();
      found.forEach(entry -> byKey.put(entry.key(), entry));
      then.accept(byKey);
    });
  }

  /**
   * Whole tasks, in the order that is given: those of which the leader does not keep all are read. Empty where one has ended, differs from what
   * is known, or cannot be read.
   */
  public void whole(List<LiveTask> tasks, Consumer<List<Optional<Task>>> then) {
    List<LiveTask> withoutPayload =
        tasks.stream().filter(live -> live.isWithoutPayload()).toList();
    if (withoutPayload.isEmpty()) {
      then.accept(tasks.stream().map(live -> Optional.of(live.task())).toList());
      return;
    }
    Map<TaskId, Long> believed = new HashMap<>();
    withoutPayload.forEach(live -> believed.put(live.id(), live.revision()));
    read(withoutPayload, found -> {
      var all = new ArrayList<Optional<Task>>();
      for (LiveTask live : tasks) {
        Long revision = believed.get(live.id());
        Entry entry = found.get(Keys.task(live.id()));
        if (revision == null) {
          all.add(Optional.of(live.task()));
        } else if (entry == null || entry.revision() != revision || live.revision() != revision) {
          all.add(Optional.empty());
        } else {
          all.add(SafeDecoder.read(entry, Stored::task));
        }
      }
      then.accept(all);
    });
  }

  /**
   * Adds to what is to be written of a task what the leader does not keep of it; and only if the task has not changed, here or in the store:
   * a newer record must not be mixed with a decision about an older one.
   *
   * @param changed called instead if it has ended or changed
   */
  public void whole(LiveTask live, Task next, Consumer<Task> then, Runnable changed) {
    if (!live.isWithoutPayload()) {
      then.accept(next);
      return;
    }
    long believed = live.revision();
    read(live.id(), found -> {
      boolean stands = found.isPresent() && found.get().revision() == believed;
      if (!stands || live.revision() != believed) {
        changed.run();
      } else {
        SafeDecoder.read(found.get(), Stored::task)
            .ifPresent(task -> then.accept(next.withWork(task.work())));
      }
    });
  }
}
