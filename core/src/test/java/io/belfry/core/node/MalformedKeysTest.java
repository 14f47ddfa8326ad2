package io.belfry.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Happening;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.core.worker.Worker;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.task.Result;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Space;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A key from another writer, or from a newer version, ends no loop: it is skipped. */
class MalformedKeysTest {
  private static final byte[] DAMAGED = {99, 1, 2, 3};

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final List<Happening> heard = new ArrayList<>();

  static List<Space> spaces() {
    return List.of(
        Keys.TASKS,
        Keys.JOBS,
        Keys.CURSORS,
        Keys.VERSIONS,
        Keys.VERSION_EXPIRY,
        Keys.NEWS,
        Keys.INBOXES,
        Keys.REPORTS,
        Keys.REQUESTS,
        Keys.DEDUP_EXPIRY,
        Keys.FRESH_HISTORY,
        Keys.SEGMENT_HEADS,
        Keys.SEGMENT_EXPIRY,
        Keys.SEGMENT_COUNTS,
        Keys.ROLLUPS,
        Keys.LOG_HEADS,
        Keys.LATE_REPORTS,
        Keys.AFTER,
        Keys.CALENDARS,
        Keys.CALENDAR_USERS,
        Keys.SKIPS,
        Keys.WORKERS,
        Keys.WORKER_ORDERS,
        Keys.NODES,
        Keys.ELECTION,
        Keys.SETTINGS,
        Keys.QUEUES,
        Keys.OFFERS);
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void a_leader_and_a_worker_go_on_beside_it(Space space) {
    try (var store = new MemoryStore(time, Runnable::run)) {
      put(store, space);
      var scheduler = new Scheduler(
          loop,
          store,
          store,
          "node~1",
          ElectionSettings.DEFAULT,
          LeaderSettings.DEFAULT,
          Strategies.builtIn(),
          heard::add);
      scheduler.start();
      new Worker(
              loop,
              store,
              "1",
              WorkerSettings.of("w", 5),
              (task, ended) -> {
                ended.accept(new Launcher.Ending.Returned(Result.OK));
                return () -> {};
              },
              () -> WorkerRecord.Load.NONE,
              new LeaseLosses())
          .start();
      var unused = new Jobs(loop, store)
          .put(Job.named("good").every(Duration.ofMinutes(1)).local("noop").build());
      loop.run(Duration.ofSeconds(10));
      put(store, space); // now as a change
      loop.run(Duration.ofMinutes(75)); // all that is looked at now and then has been
      store
          .commit(Commit.when()
              .delete(Key.of(space, "no such name!"))
              .delete(Key.of(space, "~/x"))
              .build())
          .toCompletableFuture()
          .join();
      heard.clear();
      loop.run(Duration.ofMinutes(2));
      assertThat(scheduler.leadership()).isPresent();
      assertThat(heard).anyMatch(Happening.TaskCompleted.class::isInstance);
    }
  }

  private static void put(MemoryStore store, Space space) {
    store
        .commit(Commit.when()
            .put(Key.of(space, "no such name!"), DAMAGED)
            .put(Key.of(space, "~/x"), DAMAGED)
            .build())
        .toCompletableFuture()
        .join();
  }
}
