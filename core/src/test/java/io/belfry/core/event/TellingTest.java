package io.belfry.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.record.EventBatch;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.Records;
import io.belfry.core.record.Term;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TellingTest {
  private static final Instant AT = Instant.parse("2027-01-01T00:00:00Z");
  private static final Task TASK = Task.pending(
      TaskId.fire(new JobId("j"), AT),
      Work.of("j", ExecutorSpec.local("h")).withPayload(Payload.json("{}")),
      Priority.NORMAL,
      AT,
      AT);
  private static final List<Happening> ALL = List.of(
      new Happening.TaskSubmitted(TASK),
      new Happening.TaskScheduled(TASK),
      new Happening.TaskStarted(TASK),
      new Happening.TaskCompleted(TASK),
      new Happening.TaskFailed(TASK),
      new Happening.TaskCancelled(TASK),
      new Happening.TaskRetrying(TASK),
      new Happening.FiresSkipped(
          new JobId("j"), new SkippedRange(AT, AT, 1, true, SkipReason.OVERLAP)),
      new Happening.WorkerJoined("w~1"),
      new Happening.WorkerLeft("w~1"),
      new Happening.WorkerOnline("w~1"),
      new Happening.WorkerOffline("w~1"),
      new Happening.LeaderChanged(new Term(1, "n~1", AT, "set", 7)),
      new Happening.ReportRejected(TASK.id(), 7),
      new Happening.TasksUnmatched("mail", Map.of("disk", "ssd"), 3));

  @Test
  void everything_that_can_happen_can_be_told_and_is_heard_as_it_was() {
    assertThat(ALL.stream().map(Telling::kind)).containsExactly(EventKind.values());
    var batch = new EventBatch("n~1", 1, 0, ALL.stream().map(Telling::tell).toList());
    List<Happening> heard = Records.eventBatch(Records.encode(batch)).events().stream()
        .map(Telling::heard)
        .toList();
    assertThat(heard).hasSameSizeAs(ALL);
    for (int i = 0; i < ALL.size(); i++) {
      assertThat(heard.get(i).getClass()).isEqualTo(ALL.get(i).getClass());
      if (heard.get(i) instanceof Happening.OfTask of) {
        assertThat(of.task().id()).isEqualTo(TASK.id());
        assertThat(of.task().work().payload()).isEqualTo(Payload.EMPTY);
      } else {
        assertThat(heard.get(i)).isEqualTo(ALL.get(i));
      }
    }
  }

  @Test
  void a_type_stands_for_all_kinds_below_it() {
    assertThat(Telling.kinds(Happening.class)).isEqualTo(EnumSet.allOf(EventKind.class));
    assertThat(Telling.kinds(Happening.TaskFailed.class)).containsExactly(EventKind.TASK_FAILED);
    Set<EventKind> ofTasks = EnumSet.allOf(EventKind.class).stream()
        .filter(kind -> kind.name().startsWith("TASK_"))
        .collect(Collectors.toSet());
    assertThat(Telling.kinds(Happening.OfTask.class)).isEqualTo(ofTasks);
  }
}
