package io.belfry.core.work;

import io.belfry.core.record.WorkerRecord;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;

/** One attempt. The token alone does not name it: all tasks that one commit gave out have the same. */
record AttemptId(TaskId task, Token token) {
  long mark() {
    return WorkerRecord.mark(task, token);
  }
}
