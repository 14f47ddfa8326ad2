package io.belfry.core.leader.task;

import io.belfry.core.submit.LimitKeys;
import io.belfry.core.submit.PayloadPath;
import io.belfry.model.job.Job;
import io.belfry.model.job.Limit;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import java.util.Optional;

/**
 * What a job's task is to do. Jobs whose fires wait for each other have a limit of one at a time, written into each task, so that
 * dispatch needs no rule of its own for it; a key that the job's own limit counts by gives way to it. Other keys are filled in.
 * Threading: as its reader of payloads.
 */
public final class TaskBody {
  private static final String LINE = "overlap:";

  private final LimitKeys keys;

  public TaskBody(PayloadPath payloads) {
    this.keys = new LimitKeys(payloads);
  }

  /** The job's work, perhaps with another payload, as a task has it. */
  public Work work(Job job, Work work) {
    boolean waits = job.overlap() == OverlapPolicy.QUEUE || job.overlap() == OverlapPolicy.REPLACE;
    return waits
        ? work.withLimit(
            new Limit(Optional.of(1), work.limit().rate(), Optional.of(LINE + job.id())))
        : keys.fill(work, job.id().value());
  }

  /** Whether the task waits for earlier ones of its job. */
  static boolean isInLine(Task task) {
    return task.work().limit().key().filter(key -> key.startsWith(LINE)).isPresent();
  }
}
