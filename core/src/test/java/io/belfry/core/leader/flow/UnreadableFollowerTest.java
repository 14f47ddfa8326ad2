package io.belfry.core.leader.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Records;
import io.belfry.core.record.Reports;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Work;
import io.belfry.model.task.History;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A job that runs after another, and cannot be read, keeps nobody else waiting. */
class UnreadableFollowerTest {
  private static final int ENDS = 100;

  private StepCrew crew = new StepCrew();
  private Jobs jobs = new Jobs(crew.loop, crew.memory);
  private long batches;

  private void follows(String id, String predecessor) {
    var unused = jobs.put(Job.named(id)
        .local("noop")
        .after(predecessor, Trigger.After.Outcome.FINISHED)
        .overlap(OverlapPolicy.ALLOW)
        .build());
    crew.loop.run(Duration.ofMillis(10));
  }

  private void manual(String id) {
    var unused = jobs.put(Job.named(id).local("noop").build());
    crew.loop.run(Duration.ofMillis(10));
  }

  /** A task of the job has ended, in a batch of its own. */
  private void end(String job) {
    Instant now = crew.time.wall();
    var task = new Task(
        TaskId.fire(new JobId(job), Instant.EPOCH.plusMillis(++batches)),
        Work.of(job, ExecutorSpec.local("noop")),
        now,
        now,
        Priority.NORMAL,
        Optional.empty(),
        new TaskState.Succeeded(Result.OK, now),
        Optional.empty(),
        History.NONE);
    Key batch = Keys.freshHistory("gone~1", batches);
    crew.put(batch, Records.encode(new EndedBatch(false, List.of(task))));
    var report = new Reports(batch.text(), List.of(task), List.of());
    crew.put(Keys.reports("gone~1", 0), Records.encode(report));
    crew.loop.run(Duration.ofMillis(1));
  }

  private long started(String job) {
    return crew.launched.stream()
        .filter(code -> code.task.id().jobId().equals(Optional.of(new JobId(job))))
        .count();
  }

  @Test
  void other_jobs_are_started_meanwhile_and_it_is_started_when_it_can_be_read_again() {
    crew.worker(crew.memory, WorkerSettings.of("w", 1_000), true);
    crew.loop.run(Duration.ofSeconds(2));
    manual("first");
    manual("other");
    follows("after-first", "first");
    follows("after-other", "other");
    var key = Keys.job(new JobId("after-first"));
    Entry definition = StepCrew.await(crew.memory.get(List.of(key))).getFirst();
    crew.put(key, new byte[] {99, 1});
    for (int i = 0; i < ENDS; i++) {
      end("first");
    }
    for (int i = 0; i < ENDS; i++) {
      end("other");
    }
    crew.loop.run(Duration.ofSeconds(3));
    assertThat(started("after-other")).isEqualTo(ENDS);
    assertThat(started("after-first")).isZero();

    crew.put(key, definition.value());
    crew.loop.run(Duration.ofSeconds(15));
    assertThat(started("after-first")).isEqualTo(ENDS);
    assertThat(started("after-other")).isEqualTo(ENDS);
  }

  @Test
  void trying_it_again_costs_the_same_however_many_ends_wait_for_it() {
    var counting = new ArrayList<CountingGets>();
    var many = new StepCrew(store -> {
      counting.add(new CountingGets(store));
      return counting.getFirst();
    });
    crew = many;
    jobs = new Jobs(many.loop, many.memory);
    many.worker(many.memory, WorkerSettings.of("w", 1_000), true);
    many.loop.run(Duration.ofSeconds(2));
    manual("first");
    follows("after-first", "first");
    var key = Keys.job(new JobId("after-first"));
    Entry definition = StepCrew.await(many.memory.get(List.of(key))).getFirst();
    many.put(key, new byte[] {99, 1});
    for (int i = 0; i < 10 * ENDS; i++) {
      end("first");
    }
    many.loop.run(Duration.ofSeconds(30));
    counting.getFirst().ofFollower = 0;
    many.loop.run(Duration.ofSeconds(100));
    assertThat(counting.getFirst().ofFollower)
        .as("reads of the definition in ten tries")
        .isBetween(5, 30);

    many.put(key, definition.value());
    many.loop.run(Duration.ofSeconds(30));
    assertThat(started("after-first")).isEqualTo(10 * ENDS);
  }

  @Test
  void ends_that_nobody_follows_any_more_are_folded_and_wait_for_nothing() {
    crew.worker(crew.memory, WorkerSettings.of("w", 1_000), true);
    crew.loop.run(Duration.ofSeconds(2));
    manual("first");
    follows("after-first", "first");
    follows("also-after-first", "first");
    var key = Keys.job(new JobId("after-first"));
    Entry definition = StepCrew.await(crew.memory.get(List.of(key))).getFirst();
    crew.put(key, new byte[] {99, 1});
    for (int i = 0; i < ENDS; i++) {
      end("first");
    }
    crew.loop.run(Duration.ofSeconds(30));
    crew.put(key, definition.value());
    var unused = jobs.delete(new JobId("after-first"));
    crew.loop.run(Duration.ofSeconds(30));
    assertThat(started("after-first")).isZero();
    assertThat(started("also-after-first")).isEqualTo(ENDS);
  }

  /** Counts how often the definition of the follower is read. */
  private static final class CountingGets extends DelegatingStore {
    int ofFollower;

    CountingGets(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Entry>> get(Collection<Key> keys) {
      if (keys.contains(Keys.job(new JobId("after-first")))) {
        ofFollower++;
      }
      return super.get(keys);
    }
  }
}
