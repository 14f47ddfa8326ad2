package io.belfry.core.record;

import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.util.Map;

/** An event, as one node sends it to others. */
public sealed interface Told {
  EventKind kind();

  /** The task is without payload and data. */
  record OfTask(EventKind kind, Task task) implements Told {}

  record OfWorker(EventKind kind, String worker) implements Told {}

  record Skipped(JobId job, SkippedRange range) implements Told {
    @Override
    public EventKind kind() {
      return EventKind.FIRES_SKIPPED;
    }
  }

  record Led(Term term) implements Told {
    @Override
    public EventKind kind() {
      return EventKind.LEADER_CHANGED;
    }
  }

  /** Waiting tasks that no worker may take. */
  record Unmatched(String queue, Map<String, String> labels, long tasks) implements Told {
    @Override
    public EventKind kind() {
      return EventKind.TASKS_UNMATCHED;
    }
  }

  record Rejected(TaskId task, long token) implements Told {
    @Override
    public EventKind kind() {
      return EventKind.REPORT_REJECTED;
    }
  }
}
