package io.belfry.core.leader.fire;

import io.belfry.core.fire.JobTable;
import io.belfry.core.leader.task.CancelRequested;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Jobs whose newest task replaces the earlier ones. That those are to be cancelled is written nowhere: it follows from the cursor,
 * which names the newest, and so a new leader finds it out again.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class OverlapReplacer {
  private static final int AT_ONCE = 100;

  private final TermLoop loop;
  private final TaskTable table;
  private final JobTable jobs;
  private final JobDefinitions definitions;
  private final BiConsumer<TaskId, CancelRequested> cancel;

  public OverlapReplacer(
      TermContext term,
      TaskTable table,
      JobTable jobs,
      JobDefinitions definitions,
      BiConsumer<TaskId, CancelRequested> cancel) {
    this.loop = term.loop();
    this.table = table;
    this.jobs = jobs;
    this.definitions = definitions;
    this.cancel = cancel;
  }

  /** This task replaces those that were created before it, if it exists. */
  public void by(TaskId newest) {
    LiveTask newestTask = table.tasks.find(newest);
    if (newestTask == null) {
      return;
    }
    JobId job = newest.jobId().orElseThrow();
    var request = new CancelRequest(
        "belfry", "a later task of job " + job + " replaces it", loop.time().wall());
    for (LiveTask other : table.tasks.of(job)) {
      if (other != newestTask
          && !other.task().created().isAfter(newestTask.task().created())) {
        cancel.accept(other.task().id(), new CancelRequested(request, Optional.empty()));
      }
    }
  }

  /** The cursor of the job has arrived only now. */
  public void check(JobId job) {
    if (table.tasks.unfinished(job) > 1 && previous(job).filter(table::contains).isPresent()) {
      long generation = jobs.cursor(job).orElseThrow().generation();
      definitions.find(job, generation).ifPresentOrElse(this::replace, () -> resume(List.of(job)));
    }
  }

  private void replace(JobDefinitions.Known known) {
    if (known.job().overlap() == OverlapPolicy.REPLACE) {
      previous(known.job().id()).ifPresent(this::by);
    }
  }

  /** What the last leader did not come to. */
  public void resume() {
    List<JobId> several = new ArrayList<>();
    for (JobId job : table.tasks.jobsWithSeveral()) {
      if (previous(job).filter(table::contains).isPresent()) {
        several.add(job);
      }
    }
    for (int from = 0; from < several.size(); from += AT_ONCE) {
      resume(several.subList(from, Math.min(several.size(), from + AT_ONCE)));
    }
  }

  private void resume(List<JobId> some) {
    definitions.read(
        some, found -> found.values().forEach(this::replace), () -> loop.retry(() -> resume(some)));
  }

  private Optional<TaskId> previous(JobId job) {
    return jobs.cursor(job).flatMap(Cursor::previous);
  }
}
