package io.belfry.core.leader.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.event.Happening;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.BackpressureSettings;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.record.Records;
import io.belfry.core.submit.PayloadPath;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Page;
import io.belfry.store.Revision;
import io.belfry.store.Scan;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a leader takes on has a bound, in number and in bytes. */
class OverloadTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  private static LeaderSettings waitingMax(int most) {
    return LeaderSettings.DEFAULT.with(
        new BackpressureSettings(PayloadPath.NONE, most, BackpressureSettings.DEFAULT.bodyBytes()));
  }

  private static List<SkippedRange> skips(StepCrew crew) {
    Page page = StepCrew.await(crew.memory.scan(Scan.all(Keys.SKIPS)));
    return page.entries().stream()
        .map(entry -> Records.skippedRange(entry.value()))
        .toList();
  }

  private static long skipped(StepCrew crew) {
    return skips(crew).stream().mapToLong(SkippedRange::count).sum();
  }

  private static int waiting(StepCrew crew) {
    return StepCrew.await(crew.memory.scan(Scan.all(Keys.TASKS))).entries().size();
  }

  @Test
  void fires_beyond_what_may_wait_are_skipped_with_a_record_until_there_is_room() {
    var crew = new StepCrew(store -> store, waitingMax(20));
    crew.loop.run(Duration.ofSeconds(1));
    var unused = new Jobs(crew.loop, crew.memory)
        .put(Job.named("often")
            .local("noop")
            .cron("* * * * * *", ZoneOffset.UTC)
            .overlap(OverlapPolicy.ALLOW)
            .build());
    crew.loop.run(Duration.ofSeconds(60));
    assertThat(waiting(crew)).isEqualTo(22);
    assertThat(skips(crew)).singleElement().satisfies(range -> {
      assertThat(range.reason()).isEqualTo(SkipReason.PENDING_FULL);
      assertThat(range.count()).isBetween(30, 40);
    });
    assertThat(crew.heard.stream().filter(Happening.FiresSkipped.class::isInstance))
        .hasSize((int) skipped(crew));

    crew.worker(crew.memory, WorkerSettings.of("w", 100), true);
    long before = skipped(crew);
    crew.loop.run(Duration.ofSeconds(20));
    assertThat(crew.launched).hasSizeGreaterThan(35);
    assertThat(skipped(crew)).isLessThanOrEqualTo(before + 2);
  }

  private static Task labelled(int number, int labels, SplittableRandom random) {
    Map<String, String> demanded = new HashMap<>();
    for (int i = 0; i < labels; i++) {
      demanded.put("label-" + i, number + "-" + "x".repeat(100));
    }
    Work work = Work.of(
            "call", new ExecutorSpec("http", Map.of("body", (number + " ").repeat(300))))
        .withWorkers(demanded);
    return Task.pending(TaskId.oneOff(NOW, random), work, Priority.NORMAL, NOW, NOW);
  }

  /** Of a million different works only as much is kept as there is memory for. */
  @Test
  void works_of_many_kinds_take_no_more_than_twice_the_budget() {
    long budget = 4 << 20;
    var payloads = new PayloadBudget(budget);
    var random = new SplittableRandom(1);
    int count = 0;
    for (; count < 100_000 && !payloads.isFull(); count++) {
      Task task = labelled(count, 2, random);
      payloads.settle(new LiveTask(task, Revision.NONE));
      assertThat(payloads.counted()).isLessThanOrEqualTo(2 * budget + 5_000);
    }
    assertThat(payloads.isFull()).isTrue();
  }

  @Test
  void what_ends_makes_room() {
    var payloads = new PayloadBudget(0);
    var random = new SplittableRandom(1);
    var all = new ArrayList<LiveTask>();
    for (int i = 0; !payloads.isFull(); i++) {
      var live = new LiveTask(labelled(i, 20, random), Revision.NONE);
      payloads.settle(live);
      all.add(live);
    }
    all.subList(0, all.size() / 2).forEach(payloads::release);
    assertThat(payloads.isNearlyFull()).isFalse();
    all.forEach(payloads::release);
    assertThat(payloads.counted()).isZero();
  }

  @Test
  void tasks_of_a_kind_are_counted_once_and_small_ones_not_at_all() {
    var payloads = new PayloadBudget(0);
    var random = new SplittableRandom(1);
    Work work = labelled(1, 20, random).work();
    for (int i = 0; i < 10_000; i++) {
      Task same = Task.pending(TaskId.oneOff(NOW, random), work, Priority.NORMAL, NOW, NOW);
      payloads.settle(new LiveTask(same, Revision.NONE));
      Work own = Work.of("job-" + i, ExecutorSpec.local("noop"));
      Task small = Task.pending(TaskId.oneOff(NOW, random), own, Priority.NORMAL, NOW, NOW);
      payloads.settle(new LiveTask(small, Revision.NONE));
    }
    assertThat(payloads.isNearlyFull()).isFalse();
  }
}
