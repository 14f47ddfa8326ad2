package io.belfry.core.reign;

import io.belfry.core.fire.JobTable;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Jobs whose newest task takes the place of the others. That those are to be cancelled is written nowhere: it follows from the cursor,
 * which names the newest, and so a new leader finds it out again.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Replacing {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int AT_ONCE = 100;

  private final Loop loop;
  private final TaskBook book;
  private final JobTable jobs;
  private final Definitions definitions;
  private final BiConsumer<TaskId, CancelAsked> cancel;

  Replacing(
      Loop loop,
      TaskBook book,
      JobTable jobs,
      Definitions definitions,
      BiConsumer<TaskId, CancelAsked> cancel) {
    this.loop = loop;
    this.book = book;
    this.jobs = jobs;
    this.definitions = definitions;
    this.cancel = cancel;
  }

  /** This task takes the place of those that were made before it, if it stands. */
  void by(TaskId newest) {
    LiveTask stands = book.tasks.find(newest);
    if (stands == null) {
      return;
    }
    JobId job = newest.jobId().orElseThrow();
    var request = new CancelRequest(
        "belfry", "a later task of job " + job + " replaces it", loop.time().wall());
    for (LiveTask other : book.tasks.of(job)) {
      if (other != stands && !other.task.created().isAfter(stands.task.created())) {
        cancel.accept(other.task.id(), new CancelAsked(request, Optional.empty()));
      }
    }
  }

  /** The cursor of the job was heard of only now. */
  void look(JobId job) {
    if (book.tasks.unfinished(job) > 1 && previous(job).filter(book::knows).isPresent()) {
      long generation = jobs.cursor(job).orElseThrow().generation();
      definitions.find(job, generation).ifPresentOrElse(this::replace, () -> resume(List.of(job)));
    }
  }

  private void replace(Definitions.Known known) {
    if (known.job().overlap() == OverlapPolicy.REPLACE) {
      previous(known.job().id()).ifPresent(this::by);
    }
  }

  /** What the last leader did not come to. */
  void resume() {
    List<JobId> several = new ArrayList<>();
    for (JobId job : book.tasks.jobsWithSeveral()) {
      if (previous(job).filter(book::knows).isPresent()) {
        several.add(job);
      }
    }
    for (int from = 0; from < several.size(); from += AT_ONCE) {
      resume(several.subList(from, Math.min(several.size(), from + AT_ONCE)));
    }
  }

  private void resume(List<JobId> some) {
    definitions.read(
        some,
        found -> found.values().forEach(this::replace),
        () -> book.later(PAUSE, () -> resume(some)));
  }

  private Optional<TaskId> previous(JobId job) {
    return jobs.cursor(job).flatMap(Cursor::previous);
  }
}
