package io.belfry.core.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.record.Cursor;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Trigger.After.Outcome;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Failure;
import io.belfry.model.task.History;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AfterPlanTest {
  private static final Instant NOW = Instant.parse("2027-03-01T10:00:00Z");
  private static final Duration GRACE = Duration.ofSeconds(5);

  private static JobBuilder load() {
    return Job.named("load").local("load").after("extract", Outcome.SUCCEEDED);
  }

  private static Task end(TaskState.Final state) {
    Job extract = Job.named("extract").local("extract").build();
    return new Task(
        TaskId.fire(extract.id(), state.at()),
        extract.work(),
        state.at(),
        state.at(),
        Priority.NORMAL,
        Optional.empty(),
        state,
        Optional.empty(),
        History.NONE);
  }

  private static List<Task> ends(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> end(new TaskState.Succeeded(Result.OK, NOW.minusMillis(count - i))))
        .toList();
  }

  private static List<Optional<SkipReason>> reasons(Job job, List<Task> ends, int unfinished) {
    return AfterPlan.decide(job, ends, NOW, GRACE, unfinished).stream()
        .map(AfterPlan.Decided::skipped)
        .toList();
  }

  @Test
  void each_outcome_follows_the_ends_that_it_names() {
    TaskState succeeded = new TaskState.Succeeded(Result.OK, NOW);
    TaskState failed = new TaskState.Failed(Failure.timeout("late"), NOW);
    TaskState cancelled = new TaskState.Cancelled(new CancelRequest("me", "why", NOW), NOW);
    TaskState skipped = new TaskState.Skipped(SkipReason.OVERLAP, NOW);
    TaskState pending = new TaskState.Pending(NOW);
    assertThat(List.of(succeeded, failed, cancelled, skipped, pending))
        .filteredOn(state -> AfterPlan.follows(Outcome.SUCCEEDED, state))
        .containsExactly(succeeded);
    assertThat(List.of(succeeded, failed, cancelled, skipped, pending))
        .filteredOn(state -> AfterPlan.follows(Outcome.FAILED, state))
        .containsExactly(failed);
    assertThat(List.of(succeeded, failed, cancelled, skipped, pending))
        .filteredOn(state -> AfterPlan.follows(Outcome.FINISHED, state))
        .containsExactly(succeeded, failed, cancelled);
  }

  @Test
  void an_end_leads_to_the_same_task_whoever_decides() {
    List<AfterPlan.Decided> once = AfterPlan.decide(load().build(), ends(1), NOW, GRACE, 0);
    List<AfterPlan.Decided> again =
        AfterPlan.decide(load().build(), ends(1), NOW.plusSeconds(1), GRACE, 0);
    assertThat(again).isEqualTo(once);
    assertThat(once.getFirst().id().jobId()).contains(load().build().id());
    assertThat(TaskId.parse(once.getFirst().id().toString()))
        .isEqualTo(once.getFirst().id());
    assertThat(AfterPlan.decide(load().build(), ends(2), NOW, GRACE, 0))
        .extracting(AfterPlan.Decided::id)
        .doesNotHaveDuplicates();
  }

  @Test
  void a_disabled_job_is_skipped() {
    assertThat(reasons(load().enabled(false).build(), ends(2), 0))
        .containsExactly(Optional.of(SkipReason.DISABLED), Optional.of(SkipReason.DISABLED));
  }

  @Test
  void what_was_missed_is_made_up_for_unless_the_job_says_otherwise() {
    List<Task> late = List.of(end(new TaskState.Succeeded(Result.OK, NOW.minusSeconds(60))));
    List<Task> tooLate = List.of(end(new TaskState.Succeeded(Result.OK, NOW.minusSeconds(3601))));
    MissedPolicy skip = new MissedPolicy(MissedPolicy.Policy.SKIP, Duration.ofHours(1), 1);
    assertThat(reasons(load().build(), late, 0)).containsExactly(Optional.empty());
    assertThat(reasons(load().build(), tooLate, 0))
        .containsExactly(Optional.of(SkipReason.TOO_OLD));
    assertThat(reasons(load().missed(skip).build(), late, 0))
        .containsExactly(Optional.of(SkipReason.MISSED));
    assertThat(reasons(load().missed(skip).build(), ends(1), 0)).containsExactly(Optional.empty());
  }

  @Test
  void overlap_is_kept_among_ends_that_come_together() {
    Optional<SkipReason> starts = Optional.empty();
    assertThat(reasons(load().overlap(OverlapPolicy.ALLOW).build(), ends(2), 7))
        .containsExactly(starts, starts);
    assertThat(reasons(load().overlap(OverlapPolicy.SKIP).build(), ends(2), 0))
        .containsExactly(starts, Optional.of(SkipReason.OVERLAP));
    assertThat(reasons(load().overlap(OverlapPolicy.SKIP).build(), ends(1), 1))
        .containsExactly(Optional.of(SkipReason.OVERLAP));
    assertThat(reasons(load().overlap(OverlapPolicy.QUEUE).build(), ends(2), 100))
        .containsExactly(starts, Optional.of(SkipReason.QUEUE_FULL));
    assertThat(reasons(load().overlap(OverlapPolicy.REPLACE).build(), ends(3), 1))
        .containsExactly(
            Optional.of(SkipReason.SUPERSEDED), Optional.of(SkipReason.SUPERSEDED), starts);
  }

  @Test
  void the_cursor_remembers_the_newest_task_where_overlap_asks_for_it() {
    var cursor = new Cursor(3, false, Optional.empty(), Optional.empty(), Optional.empty());
    Job queue = load().overlap(OverlapPolicy.QUEUE).build();
    List<AfterPlan.Decided> two = AfterPlan.decide(queue, ends(2), NOW, GRACE, 0);
    assertThat(AfterPlan.after(queue, cursor, two).previous())
        .contains(two.getLast().id());
    Job allow = load().overlap(OverlapPolicy.ALLOW).build();
    assertThat(AfterPlan.after(allow, cursor, two)).isEqualTo(cursor);
  }

  @Test
  void the_work_names_the_predecessor() {
    TaskId extract = TaskId.parse("extract@2027-01-01T00:00:00Z");
    assertThat(AfterPlan.work(load().build().work(), extract).metadata())
        .containsEntry(Trigger.After.PREDECESSOR, "extract@2027-01-01T00:00:00Z");
  }
}
