package io.belfry.core.worker;

import io.belfry.core.record.WorkerRecord;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;

/** The id of one attempt. The token alone is not unique: all tasks assigned by one commit have the same. */
record AttemptId(TaskId task, Token token) {
  long mark() {
    return WorkerRecord.mark(task, token);
  }
}
