package io.belfry.core.reign;

import io.belfry.core.fire.JobTable;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fixed delays: a job that has no next instant before its task has ended.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Delays {
  private final Loop loop;
  private final Fenced fenced;
  private final TaskBook book;
  private final JobTable jobs;
  private final CursorWrites cursors;
  private final Definitions definitions;
  private final Runnable changed;

  Delays(
      Loop loop,
      Fenced fenced,
      TaskBook book,
      JobTable jobs,
      CursorWrites cursors,
      Definitions definitions,
      Runnable changed) {
    this.loop = loop;
    this.fenced = fenced;
    this.book = book;
    this.jobs = jobs;
    this.cursors = cursors;
    this.definitions = definitions;
    this.changed = changed;
    book.onEnd((live, end) -> end.id().jobId().ifPresent(job -> ended(job, end)));
  }

  /** Those whose task ended while nobody led. */
  void resume() {
    var waiting = new ArrayList<JobTable.Due>();
    jobs.forEach(due -> {
      Cursor cursor = due.cursor();
      boolean over = cursor.active()
          && cursor.next().isEmpty()
          && cursor.previous().isPresent()
          && !book.knows(cursor.previous().get());
      if (over) {
        waiting.add(due);
      }
    });
    for (JobTable.Due due : waiting) {
      if (cursors.begin(due.job())) {
        resume(due.job(), due.cursor().previous().orElseThrow());
      }
    }
  }

  private void resume(JobId job, TaskId previous) {
    definitions.read(
        List.of(job),
        found -> {
          Definitions.Known known = found.get(job);
          if (known == null) {
            cursors.isBack(job);
          } else {
            goOn(job, ghost(known.job(), previous), known);
          }
        },
        () -> {
          cursors.isBack(job);
          var unused = loop.in(CursorWrites.PAUSE, this::resume);
        });
  }

  /** Stands for a task of which only the end is known. */
  private Task ghost(Job job, TaskId id) {
    Instant now = loop.time().wall();
    return Task.pending(id, job.work(), job.priority(), now, now);
  }

  private void ended(JobId job, Task end) {
    Optional<Cursor> cursor = jobs.cursor(job);
    boolean waits = cursor.isPresent()
        && cursor.get().active()
        && cursor.get().next().isEmpty()
        && cursor.get().previous().equals(Optional.of(end.id()));
    if (waits && cursors.begin(job)) {
      definitions.read(
          List.of(job), found -> goOn(job, end, found.get(job)), () -> retry(job, end));
    }
  }

  private void retry(JobId job, Task end) {
    var unused = loop.in(CursorWrites.PAUSE, () -> {
      cursors.isBack(job);
      ended(job, end);
    });
  }

  private void goOn(JobId job, Task end, Definitions.@Nullable Known known) {
    Optional<Cursor> before = jobs.cursor(job);
    if (known != null && known.plan().isEmpty()) {
      retry(job, end); // its calendar has not been heard of
      return;
    }
    if (known == null || before.isEmpty()) {
      cursors.isBack(job);
      return;
    }
    Instant at = end.ended().orElseGet(() -> loop.time().wall());
    Optional<Cursor> after = known.rule().ended(before.get(), end.id(), at);
    if (after.isEmpty()) {
      cursors.isBack(job);
      return;
    }
    Commit.Builder commit =
        fenced.commit().unchanged(Keys.cursor(job), jobs.revision(job).orElseThrow());
    known.addTo(commit);
    fenced.send(
        commit.absent(Keys.task(end.id())).put(Keys.cursor(job), Records.encode(after.get())),
        revision -> {
          jobs.put(job, after.get(), revision);
          cursors.isBack(job);
          changed.run();
        },
        guard -> {
          cursors.refresh(job);
          var unused = loop.in(CursorWrites.PAUSE, () -> ended(job, end));
        });
  }
}
