package io.belfry.core.leader.fire;

import io.belfry.core.fire.JobTable;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fixed delays: a job that has no next instant before its task has ended.
 *
 * <pre>
 *   end of a task, cursor written or received ──waits for no task?──▶ definitions, a batch at a time
 *                       ▲                                                            │
 *                       └───── refused, or not read ◀── commit(task absent, cursor unchanged): cursor
 * </pre>
 *
 * <p>Whether a job waits for a task that has ended follows from its cursor and from what is known of tasks, so that an end that was not
 * reported is found whenever one of them changes.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class FixedDelays {
  private static final int AT_ONCE = 100;

  private record End(TaskId task, Instant at) {}

  private final TermLoop loop;
  private final TermCommitter committer;
  private final TaskTable table;
  private final JobTable jobs;
  private final CursorWrites cursors;
  private final JobDefinitions definitions;
  private final Runnable changed;
  /** Jobs that wait for no task. */
  private final Set<JobId> over = new LinkedHashSet<>();
  /** When the tasks of some of them ended; of the others it is not known. */
  private final Map<JobId, End> ends = new HashMap<>();

  /** Jobs whose definition could not be found, and the cursors that they had then. */
  private final Map<JobId, Long> putOff = new HashMap<>();

  private boolean ready;
  private boolean reading;

  public FixedDelays(
      TermContext term,
      TaskTable table,
      JobTable jobs,
      CursorWrites cursors,
      JobDefinitions definitions) {
    this.loop = term.loop();
    this.committer = term.committer();
    this.table = table;
    this.jobs = jobs;
    this.cursors = cursors;
    this.definitions = definitions;
    this.changed = term.wakeUp();
  }

  /** From here on tasks are known, and it can be said which are over. */
  public void ready() {
    ready = true;
    jobs.forEachWaiting(due -> check(due.job(), due.cursor()));
  }

  /** The cursor of the job has changed, or may be written again. */
  public void check(JobId job) {
    jobs.cursor(job).ifPresent(cursor -> check(job, cursor));
  }

  private void check(JobId job, Cursor cursor) {
    if (ready
        && waits(cursor)
        && !isPutOff(job)
        && cursor.previous().filter(task -> !table.contains(task)).isPresent()) {
      over.add(job);
      readSoon();
    }
  }

  private boolean isPutOff(JobId job) {
    Long revision = putOff.get(job);
    return revision != null && jobs.revision(job).equals(OptionalLong.of(revision));
  }

  private static boolean waits(Cursor cursor) {
    return cursor.active() && cursor.next().isEmpty();
  }

  /** A task has ended. */
  public void ended(Task end) {
    end.id().jobId().ifPresent(job -> ended(job, end));
  }

  private void ended(JobId job, Task end) {
    jobs.cursor(job)
        .filter(cursor -> waits(cursor) && cursor.previous().equals(Optional.of(end.id())))
        .ifPresent(cursor -> {
          end.ended().ifPresent(at -> ends.put(job, new End(end.id(), at)));
          check(job, cursor);
        });
  }

  private void readSoon() {
    if (!reading && !over.isEmpty()) {
      reading = true;
      loop.post(this::read); // together with others that end in this turn
    }
  }

  /** Those whose cursor is being written are checked afterwards. */
  private void read() {
    var batch = new ArrayList<JobId>();
    for (Iterator<JobId> each = over.iterator(); each.hasNext() && batch.size() < AT_ONCE; ) {
      JobId job = each.next();
      each.remove();
      if (cursors.begin(job)) {
        batch.add(job);
      }
    }
    if (batch.isEmpty()) {
      reading = false;
      return;
    }
    definitions.read(
        batch,
        found -> {
          wasRead();
          batch.forEach(job -> goOn(job, found.get(job)));
        },
        () -> {
          wasRead();
          loop.retry(() -> batch.forEach(cursors::writeFinished));
        });
  }

  private void wasRead() {
    reading = false;
    readSoon();
  }

  private void goOn(JobId job, JobDefinitions.@Nullable Known known) {
    Optional<Cursor> before = jobs.cursor(job);
    if (known == null) {
      putOff(job);
      return;
    }
    Optional<TaskId> previous = before.flatMap(Cursor::previous);
    boolean knownTo =
        before.filter(cursor -> known.canPlan(cursor.generation())).isPresent();
    Optional<Cursor> after = knownTo && previous.isPresent()
        ? known.rule().ended(before.orElseThrow(), previous.get(), end(job, previous.get()))
        : Optional.empty();
    if (after.isEmpty()) {
      cursors.again(job); // its calendar, or its change, has not arrived
      return;
    }
    Commit.Builder commit =
        committer.commit().unchanged(Keys.cursor(job), jobs.revision(job).orElseThrow());
    known.addTo(commit);
    committer.send(
        commit.absent(Keys.task(previous.get())).put(Keys.cursor(job), Records.encode(after.get())),
        revision -> {
          ends.remove(job);
          jobs.put(job, after.get(), revision);
          cursors.writeFinished(job);
          changed.run();
        },
        guard -> refused(job, previous.get(), guard));
  }

  /** It is being deleted, or cannot be read: nothing of it is held up meanwhile, because it may soon be another. */
  private void putOff(JobId job) {
    ends.remove(job);
    jobs.revision(job).ifPresent(revision -> {
      putOff.put(job, revision);
      loop.retryRarely(() -> {
        putOff.remove(job, revision);
        check(job);
      });
    });
    cursors.writeFinished(job);
  }

  private Instant end(JobId job, TaskId task) {
    return Optional.ofNullable(ends.get(job))
        .filter(end -> end.task.equals(task))
        .map(End::at)
        .orElseGet(() -> loop.time().wall());
  }

  /** The task exists and was not known; or the cursor has changed. */
  private void refused(JobId job, TaskId previous, Guard guard) {
    if (guard.key().equals(Keys.task(previous))) {
      table.load(previous, () -> cursors.again(job));
    } else {
      cursors.again(job);
    }
  }
}
