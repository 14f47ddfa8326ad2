package io.belfry.core.jobs;

import io.belfry.model.job.JobId;

/** The job is not of the expected generation: another client has changed it. Nothing was written. */
public final class StaleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StaleException(JobId job, long expected, long found) {
    super("job " + job + " must be of generation " + expected + " for this change"
        + (found == 0 ? ", but does not exist" : ", but is of generation " + found)
        + ". Another client has changed it: read it again, and repeat the change.");
  }
}
