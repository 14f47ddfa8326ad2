package io.belfry.core.leader.rescue;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.StoredTasks;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.Records;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Many workers die at once, with many tasks: what is due meanwhile is not kept waiting. */
class MassRescueTest {
  private static final int TASKS = 100_000;
  private static final int WORKERS = 100;

  /** An engine that carries out one commit after the other, each of which takes its time. */
  private static final class OneByOne extends DelegatingStore {
    private static final long EACH = Duration.ofNanos(100_000).toNanos();

    private @Nullable StepLoop loop;
    private long free;
    private int inFlight;
    private int inFlightMax;
    private int rescues;
    private int rescuedMost;
    final List<Duration> lateness = new ArrayList<>();

    OneByOne(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      StepLoop steps = loop;
      if (steps == null) {
        return store.commit(commit);
      }
      boolean rescue = commit.guards().stream()
          .anyMatch(
              guard -> guard instanceof Guard.Absent && guard.key().space().equals(Keys.WORKERS));
      if (rescue) {
        rescues++;
        inFlightMax = Math.max(inFlightMax, ++inFlight);
        rescuedMost = Math.max(rescuedMost, commit.writes().size());
      }
      long now = steps.time().nanos();
      free = Math.max(free, now) + EACH;
      var answer = new CompletableFuture<Outcome>();
      var unused = steps.after(Duration.ofNanos(free - now), () -> {
        inFlight -= rescue ? 1 : 0;
        var unusedToo = store.commit(commit).thenAccept(outcome -> {
          if (outcome instanceof Outcome.Done) {
            commit.writes().forEach(write -> took(write, steps.time().wall()));
          }
          answer.complete(outcome);
        });
      });
      return answer;
    }

    private void took(Write write, Instant now) {
      if (write.key().space().equals(Keys.TASKS)
          && write instanceof Write.Put put
          && Records.task(put.value()).id() instanceof TaskId.Fire fire
          && Records.task(put.value()).attempts() <= 1) {
        lateness.add(Duration.between(fire.at(), now));
      }
    }
  }

  private final List<OneByOne> engines = new ArrayList<>();
  private final StepCrew crew = new StepCrew(store -> {
    engines.add(new OneByOne(store));
    return engines.getFirst();
  });
  private final OneByOne engine = engines.getFirst();

  private void hold(int tasks) {
    Instant now = crew.time.wall();
    Commit.Builder commit = Commit.when();
    for (int i = 1; i <= tasks; i++) {
      TaskId id = TaskId.oneOff(now, crew.loop.random());
      Task pending = Task.pending(id, StepCrew.work(), Priority.NORMAL, now, now);
      Task held =
          StoredTasks.assigned(pending, "dead-" + i % WORKERS + "~1", now, crew.loop.random());
      commit.put(Keys.task(id), Records.encode(held));
      if (i % 100 == 0 || i == tasks) {
        StepCrew.await(crew.memory.commit(commit.build()));
        commit = Commit.when();
      }
    }
  }

  private int held() {
    int held = 0;
    Optional<Scan> scan = Optional.of(Scan.all(Keys.TASKS));
    while (scan.isPresent()) {
      Page page = StepCrew.await(crew.memory.scan(scan.get()));
      for (Entry entry : page.entries()) {
        held += Records.task(entry.value()).state() instanceof TaskState.Held ? 1 : 0;
      }
      scan = page.next();
    }
    return held;
  }

  @Test
  void what_is_due_meanwhile_is_fired_in_time() {
    hold(TASKS);
    crew.worker(crew.memory, WorkerSettings.of("w", 1), true);
    crew.loop.run(Duration.ofSeconds(1));
    var unused = new Jobs(crew.loop, crew.memory)
        .put(Job.named("often")
            .local("noop")
            .cron("* * * * * *", ZoneOffset.UTC)
            .overlap(OverlapPolicy.ALLOW)
            .build());
    crew.loop.run(Duration.ofSeconds(2));
    assertThat(held()).isGreaterThanOrEqualTo(TASKS);
    engine.loop = crew.loop;
    crew.loop.run(Duration.ofSeconds(20));

    assertThat(held()).isLessThanOrEqualTo(1);
    assertThat(engine.lateness).hasSizeGreaterThanOrEqualTo(19);
    assertThat(engine.lateness)
        .allSatisfy(late -> assertThat(late).isLessThanOrEqualTo(Duration.ofSeconds(1)));
    assertThat(engine.inFlightMax).isLessThanOrEqualTo(4);
    assertThat(engine.rescues).isLessThanOrEqualTo(TASKS / 20);
    assertThat(engine.rescuedMost).isLessThanOrEqualTo(110);
  }
}
