package io.belfry.core.reign;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Happening;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.lead.LeadSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.work.Launcher;
import io.belfry.core.work.Worker;
import io.belfry.core.work.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.task.Result;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.Write;
import io.belfry.testkit.DelegatingStore;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A leader and a worker on a store in memory that remembers what was committed. */
class BirthTest {
  private static final int FIRES = 5;

  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private final ConcurrentLinkedQueue<Commit> commits = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Happening> heard = new ConcurrentLinkedQueue<>();

  private ThreadLoop loop(String name) {
    return new ThreadLoop(name, Time.system(), new SplittableRandom(1), broken::set);
  }

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
    try (var deliver = Executors.newSingleThreadExecutor();
        var memory = new MemoryStore(Time.system(), deliver);
        var scheduling = loop("scheduling");
        var working = loop("working")) {
      Store store = new Recording(memory);
      var scheduler = new Scheduler(
          scheduling,
          store,
          store,
          "node~1",
          LeadSettings.DEFAULT,
          ReignSettings.DEFAULT,
          Strategies.builtIn(),
          heard::add);
      var worker = new Worker(
          working,
          store,
          "1",
          WorkerSettings.of("worker", 5),
          (task, ended) -> {
            ran.countDown();
            ended.accept(new Launcher.Ending.Returned(Result.OK));
            return () -> {};
          },
          () -> WorkerRecord.Load.NONE);
      scheduling.post(scheduler::start);
      working.post(worker::start);
      var unused = new Jobs(scheduling, store)
          .put(Job.named("often").every(Duration.ofMillis(200)).local("noop").build());
      assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(broken.get()).isNull();
    List<Commit> births = commits.stream().filter(BirthTest::createsAssigned).toList();
    assertThat(births)
        .isNotEmpty()
        .allSatisfy(commit -> assertThat(commit.writes())
            .extracting(write -> write.key().space())
            .containsOnlyOnce(Keys.inbox("worker~1").space())
            .contains(Keys.CURSORS));
    assertThat(kindsOf(TaskId.parse(taskOf(births.getFirst()).key().text())))
        .startsWith("TaskSubmitted", "TaskScheduled")
        .doesNotHaveDuplicates();
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
