package io.belfry.server.form;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.record.LateReport;
import io.belfry.core.record.LateReport.Said;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TaskFormTest {
  private static final Instant AT = Instant.parse("2027-01-01T00:00:00Z");
  private static final Task TASK = Task.pending(
      TaskId.parse("t"), Work.of("t", ExecutorSpec.local("h")), Priority.NORMAL, AT, AT);

  @Test
  void reports_that_came_too_late_are_shown_with_the_task_if_there_are_any() {
    var late = new LateReport(TASK.id(), 2, 4711, "w~1", AT, Said.HANDED_BACK, "it stood still");
    assertThat(TaskForm.whole(TASK, Optional.empty(), Optional.empty(), List.of(late))
            .path("rejected"))
        .isEqualTo(JsonMapper.shared().readTree("""
            [{"number": 2, "token": "4711", "worker": "w~1", "at": "2027-01-01T00:00:00Z",
              "said": "handedBack", "message": "it stood still"}]"""));
    assertThat(
            TaskForm.whole(TASK, Optional.empty(), Optional.empty(), List.of()).has("rejected"))
        .isFalse();
  }
}
