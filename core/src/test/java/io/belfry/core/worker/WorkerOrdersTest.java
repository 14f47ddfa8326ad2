package io.belfry.core.worker;

import static io.belfry.core.node.SmallNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.node.SmallNode;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerOrder;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A leader, workers and an operator who gives them orders, on a store in memory. */
class WorkerOrdersTest {
  private static final int SECONDS = 60;

  /** The number of answers to orders that are lost, each after its commit was applied. */
  private final AtomicInteger answersToLose = new AtomicInteger();

  private final SmallNode node = new SmallNode(Losing::new);
  private final WorkerOrders orders = new WorkerOrders(node.scheduling, node.store);
  private final Submitter submitter =
      new Submitter(node.scheduling, node.store, "node~1", Duration.ofDays(1), 1000);
  private final SplittableRandom random = new SplittableRandom(1);
  private final BlockingQueue<TaskId> began = new LinkedBlockingQueue<>();
  private final BlockingQueue<WorkerRecord> records = new LinkedBlockingQueue<>();

  @AfterEach
  void nothingBroke() {
    node.close();
  }

  private final class Losing extends DelegatingStore {
    Losing(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      boolean order = commit.writes().stream()
          .anyMatch(write -> write.key().space().equals(Keys.WORKER_ORDERS));
      CompletionStage<Outcome> done = store.commit(commit);
      return order && answersToLose.getAndDecrement() > 0
          ? done.thenCompose(unused ->
              CompletableFuture.failedStage(new StoreException.Unknown("lost, on purpose", null)))
          : done;
    }
  }

  private void follow() {
    node.scheduling.post(new Follower(
        node.scheduling, node.store, Keys.WORKERS, new Follower.Sink() {
          @Override
          public void loading() {}

          @Override
          public void put(Entry entry) {
            records.add(Records.worker(entry.value()));
          }

          @Override
          public void deleted(Key key, long revision) {}

          @Override
          public void loaded() {}
        })::start);
  }

  private WorkerRecord shown(Predicate<WorkerRecord> as) throws InterruptedException {
    WorkerRecord record = records.poll(SECONDS, TimeUnit.SECONDS);
    while (record != null && !as.test(record)) {
      record = records.poll(SECONDS, TimeUnit.SECONDS);
    }
    assertThat(record).isNotNull();
    return record;
  }

  private Worker worker(String id, String incarnation) throws InterruptedException {
    Worker worker = node.work(incarnation, WorkerSettings.of(id, 5), (task, ended) -> {
      began.add(task.id());
      ended.accept(new Launcher.Ending.Returned(Result.OK));
      return () -> {};
    });
    shown(record -> record.id().equals(id + "~" + incarnation));
    return worker;
  }

  private TaskId submit() {
    Instant now = Time.system().wall();
    Task task = Task.pending(
        TaskId.oneOff(now, random),
        Work.of("t", ExecutorSpec.local("noop")),
        Priority.NORMAL,
        now,
        now);
    await(submitter.submit(Submission.of(task)));
    return task.id();
  }

  private WorkerOrder standing(String worker) {
    return await(node.store.get(List.of(Keys.workerOrder(worker)))).stream()
        .findFirst()
        .map(entry -> Records.workerOrder(entry.value()))
        .orElse(WorkerOrder.NONE);
  }

  @Nested
  class Obeying {
    @Test
    void a_drained_worker_says_so_at_once_gets_nothing_new_and_goes_on_when_resumed()
        throws Exception {
      follow();
      worker("w", "1");
      node.schedule();
      submit();
      assertThat(began.poll(SECONDS, TimeUnit.SECONDS)).isNotNull();

      assertThat(await(orders.drain("w~1", "ops"))).containsExactly("w~1");
      WorkerRecord drained = shown(record -> !record.accepting());
      assertThat(drained.isDraining()).isTrue();
      assertThat(drained.leaving()).isFalse();
      TaskId waits = submit();
      assertThat(began.poll(1, TimeUnit.SECONDS)).isNull();

      await(orders.resume("w", "ops"));
      shown(WorkerRecord::accepting);
      assertThat(began.poll(SECONDS, TimeUnit.SECONDS)).isEqualTo(waits);
    }

    @Test
    void capacity_is_changed_and_shown_and_a_drain_leaves_it_alone() throws Exception {
      follow();
      worker("w", "1");
      await(orders.capacity("w", 17, "ops"));
      assertThat(shown(record -> record.capacity() != 5).capacity()).isEqualTo(17);
      await(orders.drain("w", "ops"));
      assertThat(shown(record -> !record.accepting()).capacity()).isEqualTo(17);
      assertThat(standing("w~1").by()).isEqualTo("ops");
    }

    @Test
    void what_the_process_itself_says_later_counts_until_the_next_order() throws Exception {
      follow();
      Worker worker = worker("w", "1");
      await(orders.capacity("w", 17, "ops"));
      shown(record -> record.capacity() == 17);
      node.working.post(() -> worker.capacity(3));
      shown(record -> record.capacity() == 3);
      await(orders.drain("w", "ops"));
      assertThat(shown(record -> !record.accepting()).capacity()).isEqualTo(3);
      await(orders.capacity("w", 18, "ops"));
      shown(record -> record.capacity() == 18);
    }

    @Test
    void an_order_that_is_gone_counts_no_more() throws Exception {
      follow();
      worker("w", "1");
      await(orders.capacity("w", 17, "ops"));
      await(orders.drain("w", "ops"));
      shown(record -> !record.accepting());
      Commit forget = Commit.when().delete(Keys.workerOrder("w~1")).build();
      assertThat(await(node.store.commit(forget))).isInstanceOf(Outcome.Done.class);
      assertThat(shown(WorkerRecord::accepting).capacity()).isEqualTo(5);
    }

    @Test
    void an_order_that_stands_there_before_its_worker_is_heard_of_counts() throws Exception {
      follow();
      var order = new WorkerOrder(true, Optional.of(2), "ops", Instant.EPOCH);
      node.put(Keys.workerOrder("w~1"), Records.encode(order));
      worker("w", "1");
      assertThat(shown(record -> !record.accepting()).capacity()).isEqualTo(2);
    }
  }

  @Nested
  class Meaning {
    @Test
    void an_id_means_all_its_processes_and_the_next_one_knows_nothing() throws Exception {
      follow();
      worker("w", "1");
      worker("w", "2");
      worker("w2", "1");
      assertThat(await(orders.drain("w", "ops"))).containsExactly("w~1", "w~2");
      assertThat(standing("w~1").drained()).isTrue();
      assertThat(standing("w~2").drained()).isTrue();
      assertThat(standing("w2~1")).isEqualTo(WorkerOrder.NONE);
      worker("w", "3");
      assertThat(standing("w~3")).isEqualTo(WorkerOrder.NONE);
    }

    @Test
    void a_worker_that_is_not_there_is_refused() throws Exception {
      follow();
      worker("w", "1");
      for (String unknown : List.of("v", "w~2", "w/1", "~", "W")) {
        assertThatThrownBy(() -> await(orders.drain(unknown, "ops")))
            .isInstanceOf(InvalidException.class)
            .hasMessageContaining("must be a registered worker")
            .hasMessageContaining("List the workers");
      }
      assertThatThrownBy(() -> orders.drain(" ", "ops")).isInstanceOf(InvalidException.class);
      assertThatThrownBy(() -> orders.drain("w".repeat(301), "ops"))
          .isInstanceOf(InvalidException.class);
      for (int capacity : List.of(-1, 100_001)) {
        assertThatThrownBy(() -> orders.capacity("w", capacity, "ops"))
            .isInstanceOf(InvalidException.class)
            .hasMessageContaining("capacity");
      }
    }

    @Test
    void more_processes_than_fit_into_a_commit_are_ordered_one_by_one() {
      for (int i = 0; i < 51; i++) {
        node.put(Keys.worker("many~" + i), new byte[] {1});
      }
      assertThatThrownBy(() -> await(orders.drain("many", "ops")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("one by one");
      assertThat(await(orders.drain("many~7", "ops"))).containsExactly("many~7");
    }
  }

  @Nested
  class Together {
    @Test
    void orders_that_come_together_are_all_kept() throws Exception {
      follow();
      worker("w", "1");
      List<CompletionStage<List<String>>> given = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        given.add(orders.capacity("w", 7, "a"));
        given.add(orders.drain("w", "b"));
      }
      given.forEach(SmallNode::await);
      assertThat(standing("w~1").drained()).isTrue();
      assertThat(standing("w~1").capacity()).contains(7);
    }

    @Test
    void an_order_whose_answer_is_lost_is_given_once() throws Exception {
      follow();
      worker("w", "1");
      answersToLose.set(2);
      assertThat(await(orders.drain("w", "ops"))).containsExactly("w~1");
      assertThat(standing("w~1").drained()).isTrue();
      answersToLose.set(1);
      assertThat(await(orders.resume("w", "ops"))).containsExactly("w~1");
      assertThat(standing("w~1").drained()).isFalse();
    }

    @Test
    void whoever_waits_when_the_node_stops_is_told() {
      orders.stop();
      assertThatThrownBy(() -> await(orders.drain("w", "ops")))
          .isInstanceOf(StoreException.Closed.class);
    }
  }
}
