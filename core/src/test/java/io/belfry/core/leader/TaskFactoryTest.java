package io.belfry.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.event.Happening;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.node.SmallNode;
import io.belfry.core.record.Records;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Guard;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.Write;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A leader and a worker on a store in memory that remembers what was committed. */
class TaskFactoryTest {
  private static final int FIRES = 5;

  private final ConcurrentLinkedQueue<Commit> commits = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Happening> heard = new ConcurrentLinkedQueue<>();

  private final class Recording extends DelegatingStore {
    Recording(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      commits.add(commit);
      return store.commit(commit);
    }
  }

  @Test
  void a_fire_is_created_as_the_task_of_a_free_worker_in_one_commit() throws Exception {
    var ran = new CountDownLatch(FIRES);
    try (var node = new SmallNode(Recording::new)) {
      node.schedule(LeaderSettings.DEFAULT, heard::add);
      node.work(5, task -> ran.countDown());
      var unused = new Jobs(node.scheduling, node.store)
          .put(Job.named("often").every(Duration.ofMillis(200)).local("noop").build());
      assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }
    List<Commit> factory =
        commits.stream().filter(TaskFactoryTest::createsAssigned).toList();
    assertThat(factory)
        .isNotEmpty()
        .allSatisfy(commit -> assertThat(commit.writes())
            .extracting(write -> write.key().space())
            .containsOnlyOnce(Keys.inbox("worker~1").space())
            .contains(Keys.CURSORS));
    assertThat(kindsOf(TaskId.parse(taskOf(factory.getFirst()).key().text())))
        .startsWith("TaskSubmitted", "TaskScheduled")
        .doesNotHaveDuplicates();
  }

  /** A thousand jobs that are due every second, and workers with room for them. */
  @Test
  void most_fires_are_created_as_the_tasks_of_workers() {
    var crew = new StepCrew(Recording::new);
    var unusedWorker = crew.worker(crew.memory, WorkerSettings.of("w", 2000), true);
    crew.loop.run(Duration.ofSeconds(1));
    var jobs = new Jobs(crew.loop, crew.memory);
    for (int i = 0; i < 1000; i++) {
      var unused = jobs.put(
          Job.named("often-" + i).every(Duration.ofSeconds(1)).local("noop").build());
    }
    for (int i = 0; i < 100; i++) {
      crew.loop.run(Duration.ofMillis(50));
      crew.launched.stream().filter(code -> code.running).toList().forEach(StepCrew.Code::succeed);
    }
    long assigned = fires(true);
    long pending = fires(false);
    assertThat(assigned + pending).isGreaterThan(3000);
    assertThat((double) assigned / (assigned + pending)).isGreaterThan(0.6);
  }

  /** Tasks that were created as a worker's, or to wait. */
  private long fires(boolean assigned) {
    return commits.stream()
        .flatMap(commit -> commit.writes().stream()
            .filter(write -> commit.guards().contains(new Guard.Absent(write.key()))))
        .filter(write -> write.key().space().equals(Keys.TASKS))
        .map(Write.Put.class::cast)
        .filter(put -> Records.task(put.value()).state() instanceof TaskState.Assigned == assigned)
        .count();
  }

  private List<String> kindsOf(TaskId id) {
    return heard.stream()
        .filter(each -> each instanceof Happening.OfTask of && of.task().id().equals(id))
        .map(each -> each.getClass().getSimpleName())
        .toList();
  }

  private static Write.Put taskOf(Commit commit) {
    return commit.writes().stream()
        .filter(write -> write.key().space().equals(Keys.TASKS))
        .map(Write.Put.class::cast)
        .findFirst()
        .orElseThrow();
  }

  /** The task was absent before, and is a worker's behind it. */
  private static boolean createsAssigned(Commit commit) {
    return commit.writes().stream()
        .filter(write -> write.key().space().equals(Keys.TASKS))
        .filter(write -> commit.guards().contains(new Guard.Absent(write.key())))
        .anyMatch(write -> write instanceof Write.Put put
            && Records.task(put.value()).state() instanceof TaskState.Assigned);
  }
}
