package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
import io.belfry.model.job.JobId;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** After any crash or lost answer, each finished task is stored, found, listed and counted exactly once. */
class RetentionLawsTest {
  private static final List<String> JOBS = List.of("a", "b", "b-2", "c.x", "d");

  @Test
  void every_task_is_found_listed_and_counted_exactly_once() {
    Seeds.each(25, random -> {
      var kept = new Kept(random);
      Map<TaskId, Task> made = storm(kept, random);
      kept.lead(Kept.SETTINGS);
      if (random.nextBoolean()) {
        kept.loop.run(Duration.ofMinutes(3));
        assertThat(kept.inBatches()).isEmpty();
      }
      var stored = new ArrayList<>(kept.inBatches());
      stored.addAll(kept.inSegments());
      assertSame(stored, made.values());
      List<Task> listed = kept.walk(Query.ALL, 1 + random.nextInt(300));
      assertSame(listed, made.values());
      assertThat(listed)
          .isSortedAccordingTo(
              Comparator.comparing((Task task) -> task.ended().orElseThrow()).reversed());
      made.forEach((id, task) -> {
        if (random.nextInt(10) == 0) {
          assertThat(Kept.join(kept.history.find(id))).contains(task);
        }
      });
      filtersAgree(kept, made, random);
      kept.loop.run(Duration.ofMinutes(3));
      rollupsAgree(kept, made);
    });
  }

  /** In any order, each once; sorted first, because comparing each with each takes minutes. */
  private static void assertSame(Collection<Task> found, Collection<Task> wanted) {
    assertThat(byId(found)).isEqualTo(byId(wanted));
  }

  private static List<Task> byId(Collection<Task> tasks) {
    return tasks.stream()
        .sorted(Comparator.comparing((Task task) -> task.id().toString()))
        .toList();
  }

  /** Thousands of ends, with leaders that crash and answers that are lost. */
  private static Map<TaskId, Task> storm(Kept kept, RandomGenerator random) {
    Map<TaskId, Task> made = new LinkedHashMap<>();
    int batches = 150 + random.nextInt(250);
    for (int i = 0; i < batches; i++) {
      var batch = new ArrayList<Task>();
      for (int n = 1 + random.nextInt(20); n > 0; n--) {
        Task task = any(kept, random, made.size());
        made.put(task.id(), task);
        batch.add(task);
      }
      kept.batch("w" + random.nextInt(4), batch);
      switch (random.nextInt(12)) {
        case 0 -> kept.lead(Kept.SETTINGS);
        case 1 -> kept.faulty.loseNextAnswer();
        case 2 -> kept.faulty.loseNextRequest();
        case 3 -> kept.faulty.delayNextRequest();
        case 4 -> kept.faulty.deliverDelayed();
        case 5 -> kept.crash();
        default -> kept.loop.run(Duration.ofMillis(random.nextInt(8000)));
      }
    }
    kept.faulty.deliverDelayed();
    return made;
  }

  private static Task any(Kept kept, RandomGenerator random, int number) {
    String job = JOBS.get(random.nextInt(JOBS.size()));
    TaskId id = switch (random.nextInt(4)) {
      case 0 -> TaskId.parse("own-" + number);
      case 1 -> TaskId.triggered(new JobId(job), kept.time.wall(), random);
      default -> TaskId.fire(new JobId(job), Kept.START.plusMillis(number));
    };
    if (random.nextInt(5) == 0) {
      return kept.cancelled(id);
    }
    Instant end = kept.time.wall().minusMillis(random.nextInt(100_000));
    return kept.succeeded(id, "w" + random.nextInt(3) + "~1", end);
  }

  private static void filtersAgree(Kept kept, Map<TaskId, Task> made, RandomGenerator random) {
    Query query = Query.ALL;
    if (random.nextBoolean()) {
      query = query.withState(random.nextBoolean() ? StateName.CANCELLED : StateName.SUCCEEDED);
    }
    if (random.nextBoolean()) {
      query = query.withJob(new JobId(JOBS.get(random.nextInt(JOBS.size()))));
    }
    if (random.nextBoolean()) {
      query = query.withWorker("w1");
    }
    if (random.nextBoolean()) {
      query = query.between(Kept.START.plusSeconds(100), Kept.START.plusSeconds(600));
    }
    Query wanted = query;
    assertSame(
        kept.walk(query, 50), made.values().stream().filter(wanted::matches).toList());
  }

  private static void rollupsAgree(Kept kept, Map<TaskId, Task> made) {
    Map<String, Rollup> expected = new HashMap<>();
    for (Task task : made.values()) {
      String job = task.id().jobId().map(JobId::value).orElse(HistorySegment.NO_JOB);
      expected.computeIfAbsent(job, unused -> new Rollup()).add(task);
      expected.computeIfAbsent(Keys.ALL_JOBS, unused -> new Rollup()).add(task);
    }
    long hour = Duration.ofMillis(Kept.START.toEpochMilli()).toHours();
    expected.forEach((job, rollup) ->
        assertThat(Kept.join(kept.history.stats(job, hour - 5, hour + 24))).isEqualTo(rollup));
  }

  @Test
  void a_walk_misses_nothing_while_tasks_end_and_are_folded() {
    Seeds.each(40, random -> {
      var kept = new Kept(random);
      kept.lead(Kept.SETTINGS);
      var live = new ArrayList<Task>();
      Set<TaskId> throughout = new HashSet<>();
      for (int i = 0; i < 2000; i++) {
        Task task = kept.pending(TaskId.oneOff(kept.time.wall(), random));
        kept.put(Keys.task(task.id()), Records.encode(task));
        live.add(task);
        throughout.add(task.id());
      }
      finish(kept, live, random, 500);
      Set<TaskId> seen = new HashSet<>();
      Optional<String> cursor = Optional.empty();
      do {
        Listing page = Kept.join(kept.history.list(Query.ALL, cursor, 40));
        page.tasks().forEach(task -> seen.add(task.id()));
        cursor = page.next();
        finish(kept, live, random, random.nextInt(60));
        kept.loop.run(Duration.ofMillis(random.nextInt(20_000)));
      } while (cursor.isPresent());
      assertThat(seen).containsAll(throughout);
    });
  }

  private static void finish(Kept kept, List<Task> live, RandomGenerator random, int count) {
    for (int left = count; left > 0 && !live.isEmpty(); ) {
      var batch = new ArrayList<Task>();
      for (int n = 1 + random.nextInt(10); n > 0 && !live.isEmpty(); n--) {
        Task task = live.remove(random.nextInt(live.size()));
        Instant end = kept.time.wall().minusMillis(random.nextInt(3_000_000));
        batch.add(kept.succeeded(task.id(), "w", end));
        left--;
      }
      kept.finish("w" + random.nextInt(5), batch);
    }
  }
}
