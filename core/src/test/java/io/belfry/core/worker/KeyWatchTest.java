package io.belfry.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.Inbox;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerOrder;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyWatchTest {
  private static final String WORKER = "w~1";
  private static final CancelRequest REQUEST = new CancelRequest("ops", "obsolete", Instant.EPOCH);

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final Watched store = new Watched(new MemoryStore(time, Runnable::run));

  /** Knows its watches, in the order in which they were opened. */
  private static final class Watched extends DelegatingStore {
    final List<Watcher> watchers = new ArrayList<>();
    final List<Integer> closed = new ArrayList<>();

    Watched(Store store) {
      super(store);
    }

    @Override
    public Watch watch(Feed feed, long after, Watcher watcher) {
      int number = watchers.size();
      watchers.add(watcher);
      Watch watch = store.watch(feed, after, watcher);
      return () -> {
        closed.add(number);
        watch.close();
      };
    }
  }

  private void put(Key key, byte[] value) {
    assertThat(store
            .commit(Commit.when().put(key, value).build())
            .toCompletableFuture()
            .join())
        .isInstanceOf(Outcome.Done.class);
    turn();
  }

  private void turn() {
    loop.run(Duration.ofSeconds(1));
  }

  @Test
  void after_a_gap_the_old_watch_is_closed_and_says_nothing_more() {
    var heard = new ArrayList<Integer>();
    var ear = new KeyWatch(
        loop, store, Keys.inbox(WORKER), (revision, changes) -> heard.add(changes.size()));
    ear.open();
    int life = ear.life();
    turn();
    store.watchers.getFirst().compacted();
    store.watchers.getFirst().changed(1, List.of());
    turn();
    assertThat(store.watchers).hasSize(2);
    assertThat(store.closed).containsExactly(0);
    assertThat(heard).isEmpty();
    assertThat(ear.life()).isNotEqualTo(life);

    put(Keys.inbox(WORKER), new byte[] {1});
    assertThat(heard).containsExactly(1);
    ear.close();
    put(Keys.inbox(WORKER), new byte[] {2});
    store.watchers.getLast().compacted();
    turn();
    assertThat(heard).containsExactly(1);
    assertThat(store.watchers).hasSize(2);
    assertThat(store.closed).containsExactly(0, 1);
  }

  @Test
  void a_worker_s_orders_are_heard_after_a_gap_by_one_watch_alone() {
    var stopped = new ArrayList<AttemptId>();
    var orders = new InboxWatch(
        loop, store, WORKER, (task, revision) -> {}, (attempt, request) -> stopped.add(attempt));
    orders.open();
    turn();
    store.watchers.getFirst().compacted();
    turn();
    assertThat(store.closed).containsExactly(0);
    TaskId task = TaskId.oneOff(time.wall(), loop.random());
    put(
        Keys.inbox(WORKER),
        Records.encode(new Inbox(List.of(new Inbox.Order.Stop(task, 7, REQUEST)))));
    assertThat(stopped).hasSize(1);
    orders.close();
    assertThat(store.closed).containsExactly(0, 1);
  }

  @Test
  void instructions_given_during_a_gap_are_read_behind_it() {
    var heard = new ArrayList<WorkerOrder>();
    var instructions = new WorkerInstructions(loop, store, WORKER, heard::add);
    instructions.open();
    turn();
    store.watchers.getFirst().compacted();
    var order = new WorkerOrder(true, Optional.of(3), "ops", Instant.EPOCH);
    put(Keys.workerOrder(WORKER), Records.encode(order));
    assertThat(heard).containsExactly(order);
    assertThat(store.closed).containsExactly(0);
    instructions.close();
    assertThat(store.closed).containsExactly(0, 1);
  }
}
