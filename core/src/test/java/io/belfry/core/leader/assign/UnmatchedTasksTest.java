package io.belfry.core.leader.assign;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Happening;
import io.belfry.core.history.History;
import io.belfry.core.jobs.Calendars;
import io.belfry.core.jobs.JobExplainer;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.task.TestTasks;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.leader.term.TestTerm;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.MemoryStore;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tasks that no worker may take are told of. */
class UnmatchedTasksTest {
  @Test
  void they_are_counted_by_queue_once_they_have_waited_for_long() {
    var time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
    var store = new MemoryStore(time, Runnable::run);
    var loop = new StepLoop(time, new SplittableRandom(1));
    Dispatcher<LiveTask> dispatcher = Dispatcher.first(
        Strategies.builtIn().make("least-tasks"), Dispatcher.DEFAULT_STEP, loop.random());
    List<Happening> heard = new ArrayList<>();
    var term = TestTerm.on(loop, store, LeaderSettings.DEFAULT, heard::add);
    var table = new TaskTable(term, 0, dispatcher, TestTasks.UNHEARD, () -> {});
    var unmatched = new UnmatchedTasks(term, table);
    for (int i = 0; i < 3; i++) {
      Task task = Task.pending(
          TaskId.oneOff(time.wall(), loop.random()),
          StepCrew.work().withWorkers(Map.of("disk", "ssd")),
          Priority.NORMAL,
          time.wall(),
          time.wall());
      table.recordStored(task, i + 1);
    }
    var unused = dispatcher.next(time.wall(), time.nanos());
    for (int seconds = 0; seconds < 600; seconds += 10) {
      time.advance(Duration.ofSeconds(10));
      unmatched.check();
      assertThat(table.tasks.counts.unmatchedByQueue()).isEmpty();
      assertThat(unmatchedEvents(heard)).isEmpty();
    }
    time.advance(Duration.ofSeconds(10));
    unmatched.check();
    assertThat(table.tasks.counts.unmatchedByQueue()).isEqualTo(Map.of("default", 3L));
    var event = new Happening.TasksUnmatched("default", Map.of("disk", "ssd"), 3);
    assertThat(unmatchedEvents(heard)).containsExactly(event);
    time.advance(Duration.ofSeconds(10));
    unmatched.check();
    assertThat(unmatchedEvents(heard)).as("published once").containsExactly(event);

    dispatcher.seen(worker(time, Map.of("disk", "ssd", "zone", "a")));
    time.advance(Duration.ofSeconds(10));
    unmatched.check();
    assertThat(table.tasks.counts.unmatchedByQueue()).isEmpty();
  }

  private static List<Happening> unmatchedEvents(List<Happening> heard) {
    return heard.stream().filter(Happening.TasksUnmatched.class::isInstance).toList();
  }

  private static WorkerRecord worker(ManualTime time, Map<String, String> labels) {
    return new WorkerRecord(
        "w~1",
        "w",
        "host",
        labels,
        Set.of(),
        1,
        10,
        true,
        true,
        false,
        time.wall(),
        time.wall(),
        1,
        WorkerRecord.Load.NONE,
        List.of());
  }

  @Test
  void whoever_asks_why_is_told_what_no_worker_offers() {
    var crew = new StepCrew();
    crew.worker(crew.memory, WorkerSettings.of("w", 10), true);
    crew.loop.run(Duration.ofSeconds(2));
    var saved = new Jobs(crew.loop, crew.memory)
        .put(Job.named("picky")
            .local("noop")
            .workers(Map.of("disk", "ssd"))
            .cron("*/10 * * * * *", ZoneOffset.UTC)
            .build());
    crew.loop.run(Duration.ofSeconds(12));
    assertThat(StepCrew.await(saved).generation()).isEqualTo(1);
    assertThat(crew.launched).isEmpty();
    var explaining = new JobExplainer(
        crew.memory,
        new History(crew.memory, Runnable::run),
        new Calendars(crew.loop, crew.memory),
        crew.time,
        Duration.ofDays(7));
    Instant fired = Instant.parse("2027-01-01T00:00:10Z");
    assertThat(StepCrew.await(explaining.explain(new JobId("picky"), fired)).sentence())
        .endsWith("It waits: no worker serves queue default and offers labels {disk=ssd}.");
  }
}
