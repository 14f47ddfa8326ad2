package io.belfry.core.reign;

import io.belfry.model.job.Job;
import io.belfry.model.job.Limit;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Work;
import java.util.Optional;

/**
 * One after the other, for jobs whose fires wait for each other: a limit of one at a time, written into each task, so that dispatch
 * needs no rule of its own for it. A key that the job's own limit counts by gives way to it. Threading: stateless.
 */
final class Serial {
  private Serial() {}

  static Work work(Job job) {
    boolean waits = job.overlap() == OverlapPolicy.QUEUE || job.overlap() == OverlapPolicy.REPLACE;
    return waits
        ? job.work()
            .withLimit(new Limit(
                Optional.of(1), job.work().limit().rate(), Optional.of("overlap:" + job.id())))
        : job.work();
  }
}
