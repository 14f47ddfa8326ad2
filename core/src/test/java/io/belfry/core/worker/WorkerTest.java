package io.belfry.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.event.Happening;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.model.job.Work;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which tasks a worker accepts, and which not. */
class WorkerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  /** Until interrupted code is given up, and a little more. */
  private static final Duration GRACE = Duration.ofSeconds(6);

  private static final Duration A_WHILE = Duration.ofSeconds(10);

  private final StepCrew crew = new StepCrew();

  private static Work work() {
    return StepCrew.work().withTimeout(TIMEOUT);
  }

  private void mode(QueueRecord.Mode mode) {
    crew.put(Keys.queue("default"), Records.encode(new QueueRecord(mode, false, 1)));
  }

  @Nested
  class With_code_that_ignores_its_interruption {
    private Worker worker;

    @BeforeEach
    void a_worker_is_there() {
      worker = crew.deaf(1);
      crew.loop.run(A_WHILE);
    }

    @Test
    void begins_nothing_beside_it_before_it_has_ended() {
      for (int i = 0; i < 5; i++) {
        crew.submit(work());
      }
      crew.loop.run(Duration.ofMinutes(5));
      assertThat(crew.launched).hasSize(1);
      assertThat(crew.told(Happening.TaskRetrying.class)).hasSize(1);
      assertThat(crew.record(worker).orElseThrow().capacity()).isZero();

      crew.launched.getFirst().succeed();
      crew.loop.run(Duration.ofMillis(100));
      assertThat(crew.launched).hasSize(2);
      assertThat(crew.running()).isEqualTo(1);
      assertThat(crew.record(worker).orElseThrow().capacity()).isEqualTo(1);
    }

    @Test
    void tells_the_leader_so_before_it_tells_the_end_so_that_nothing_is_handed_back() {
      crew.submit(work());
      TaskId second = crew.submit(work());
      crew.loop.run(TIMEOUT.plus(GRACE));
      assertThat(crew.stands(second).attempts()).isZero();
    }

    @Test
    void goes_on_with_the_places_that_are_left() {
      worker.capacity(2);
      crew.submit(work());
      crew.loop.run(TIMEOUT.plus(GRACE));
      crew.submit(work().withTimeout(Duration.ofHours(1)));
      crew.submit(work());
      crew.loop.run(A_WHILE);
      assertThat(crew.launched).hasSize(2);
      assertThat(crew.record(worker).orElseThrow().capacity()).isEqualTo(1);
      assertThat(crew.record(worker).orElseThrow().held()).hasSize(1);
    }

    @Test
    void leaves_as_soon_as_everything_is_reported() {
      var left = new AtomicBoolean();
      crew.submit(work().withTimeout(Duration.ofHours(1)));
      crew.loop.run(Duration.ofSeconds(1));
      worker.drain(Duration.ofSeconds(1), () -> left.set(true));
      crew.loop.run(Duration.ofSeconds(1).plus(GRACE));
      assertThat(crew.running()).isEqualTo(1);
      assertThat(left).isTrue();
      assertThat(crew.record(worker)).isEmpty();
    }
  }

  @Nested
  class While_it_is_unhealthy {
    @ParameterizedTest
    @EnumSource(QueueRecord.Mode.class)
    void takes_nothing_new_and_goes_on_when_it_is_healthy_again(QueueRecord.Mode mode) {
      mode(mode);
      Worker worker = crew.deaf(5);
      crew.loop.run(A_WHILE);
      worker.healthy(false);
      crew.loop.run(A_WHILE);
      TaskId task = crew.submit(work());
      crew.loop.run(A_WHILE);
      assertThat(crew.launched).isEmpty();
      assertThat(crew.stands(task).state()).isInstanceOf(TaskState.Pending.class);

      worker.healthy(true);
      crew.loop.run(Duration.ofMillis(10));
      assertThat(crew.launched).hasSize(1);
    }
  }

  @Nested
  class That_loses_its_lease {
    /** While it is cut off, nothing gets through. */
    private final class Link extends DelegatingStore {
      boolean cut;

      Link() {
        super(crew.memory);
      }

      @Override
      public CompletionStage<Outcome> commit(Commit commit) {
        return cut ? unavailable() : store.commit(commit);
      }

      @Override
      public CompletionStage<Boolean> renew(long lease) {
        return cut ? unavailable() : store.renew(lease);
      }

      private static <T> CompletionStage<T> unavailable() {
        return CompletableFuture.failedFuture(
            new StoreException.Unavailable("it is cut off", new IOException()));
      }
    }

    private static WorkerSettings settings(int capacity) {
      return new WorkerSettings(
          "w",
          "w",
          "",
          Map.of(),
          Set.of(),
          1,
          capacity,
          Duration.ofSeconds(4),
          Duration.ofMillis(500));
    }

    @Test
    void reports_what_had_begun_as_lost_until_the_task_has_lost_enough_workers() {
      var link = new Link();
      crew.worker(link, settings(1), true);
      crew.loop.run(A_WHILE);
      TaskId task = crew.submit(work().withTimeout(Duration.ofHours(1)));
      for (int i = 0; i < 4; i++) {
        crew.loop.run(Duration.ofMillis(100));
        link.cut = true;
        crew.loop.run(Duration.ofMillis(3_200)); // longer than its trust, shorter than its lease
        link.cut = false;
        crew.loop.run(Duration.ofMillis(2_700)); // until it has been told again what it refused
      }
      assertThat(crew.launched).hasSize(4);
      assertThat(crew.told(Happening.TaskFailed.class)).singleElement().satisfies(failed -> {
        assertThat(failed.id()).isEqualTo(task);
        assertThat(failed.attempts()).isEqualTo(4);
        assertThat(failed.history().lost()).isEqualTo(4);
      });
    }

    @Test
    void counts_each_loss_once_and_the_attempts_that_it_stops_for_it() {
      var link = new Link();
      crew.worker(link, settings(3), true);
      crew.loop.run(A_WHILE);
      for (int i = 0; i < 2; i++) {
        crew.submit(work().withTimeout(Duration.ofHours(1)));
      }
      crew.loop.run(Duration.ofMillis(100));
      assertThat(crew.launched).hasSize(2);
      assertThat(crew.losses.leases()).isZero();

      link.cut = true;
      crew.loop.run(Duration.ofSeconds(30)); // its lease ends, and it stays cut off
      assertThat(crew.losses.leases()).isEqualTo(1);
      assertThat(crew.losses.attemptsStopped()).isEqualTo(2);

      link.cut = false;
      crew.loop.run(Duration.ofSeconds(5));
      assertThat(crew.losses.leases()).as("a new lease is no loss").isEqualTo(1);
      link.cut = true;
      crew.loop.run(Duration.ofSeconds(10));
      assertThat(crew.losses.leases()).isEqualTo(2);
      assertThat(crew.losses.attemptsStopped()).as("both ran again").isEqualTo(4);
    }
  }
}
