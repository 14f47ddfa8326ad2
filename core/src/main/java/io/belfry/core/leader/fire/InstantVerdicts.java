package io.belfry.core.leader.fire;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskIndex;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the store has said of instants that are due: each has one task at most for one incarnation of its job. Threading: immutable.
 *
 * @param made their task was requested by a trigger, and created
 * @param taken an unfinished task of a job that was deleted before this one has their id
 */
record InstantVerdicts(Set<Instant> made, Set<Instant> taken) {
  static final InstantVerdicts NOTHING = new InstantVerdicts(Set.of(), Set.of());

  /**
   * Instants whose task was asked for, and made, have their outcome. One that is asked for only is about to be made, or the question will be
   * withdrawn: then it is fired after all. A task that was not requested of this job is left of a deleted one of the same id.
   *
   * @param tasks that could not be made
   * @param found the stored tasks, their requests, and those of them that are still open
   */
  static InstantVerdicts of(List<Task> tasks, long incarnation, Map<Key, Entry> found) {
    var made = new HashSet<Instant>();
    var taken = new HashSet<Instant>();
    for (Task task : tasks) {
      boolean asked = found.containsKey(Keys.asked(task.id(), incarnation));
      boolean stored = found.containsKey(Keys.task(task.id()));
      if (stored && !asked && incarnation > 1) {
        taken.add(task.scheduled());
      } else if (stored || (asked && !isOpen(Keys.trigger(task.id(), incarnation), found))) {
        made.add(task.scheduled());
      }
    }
    return new InstantVerdicts(made, taken);
  }

  private static boolean isOpen(Key question, Map<Key, Entry> found) {
    Entry request = found.get(question);
    return request != null
        && SafeDecoder.read(request, each -> Records.request(each.value())).isPresent();
  }

  /**
   * Besides, what has been made of a job whose tasks must not overlap: its own task is no reason to skip an instant. Where the job was
   * created after a deleted one of the same id, such a task may be the other's, which the store has to say.
   */
  Set<Instant> made(TaskIndex tasks, Cursor cursor, Job job, Instant now) {
    if (job.overlap() == OverlapPolicy.ALLOW) {
      return made; // the store will say
    }
    var all = new HashSet<>(made);
    for (LiveTask live : tasks.of(job.id())) {
      if (live.id() instanceof TaskId.Fire fire
          && !taken.contains(fire.at())
          && (job.incarnation() <= 1 || !fire.at().isAfter(now))
          && cursor.last().filter(last -> !fire.at().isAfter(last)).isEmpty()) {
        all.add(fire.at());
      }
    }
    return all;
  }

  InstantVerdicts and(InstantVerdicts other) {
    return new InstantVerdicts(union(made, other.made), union(taken, other.taken));
  }

  boolean isEmpty() {
    return made.isEmpty() && taken.isEmpty();
  }

  boolean has(Instant at) {
    return made.contains(at) || taken.contains(at);
  }

  private static Set<Instant> union(Set<Instant> some, Set<Instant> others) {
    if (others.isEmpty()) {
      return some;
    }
    var all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }
}
