package io.belfry.core.jobs;

import io.belfry.model.job.JobId;

/** The job is not of the generation that the change was meant for: somebody else has changed it. Nothing was written. */
public final class StaleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StaleException(JobId job, long expected, long found) {
    super("job " + job + " was to be changed as of generation " + expected
        + (found == 0 ? ", but there is none" : ", but is of generation " + found)
        + ". Somebody has changed it since: read it again, and repeat the change.");
  }
}
