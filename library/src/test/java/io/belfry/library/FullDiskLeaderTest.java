package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Observer;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.DedupRecord;
import io.belfry.core.record.Records;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.embedded.EmbeddedSettings;
import io.belfry.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start with a disk that is full of history, which only a leader can delete. */
class FullDiskLeaderTest {
  private static final int OLD = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir
  Path directory;

  private final AtomicReference<Throwable> broken = new AtomicReference<>();

  private EmbeddedStore open(long roomBytes) {
    return EmbeddedStore.open(EmbeddedSettings.of(directory.resolve("store")).roomBytes(roomBytes));
  }

  /** The store must keep free three times the available space, so it refuses puts and creates no reserve. */
  private EmbeddedStore openFull() {
    return open(3 * directory.toFile().getUsableSpace());
  }

  private static <T> T answer(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static Key old(int i) {
    return Keys.dedup("key:old " + i);
  }

  /** Records that expired hours ago. */
  private static void writeOld(Store store) throws Exception {
    long until = Time.system().wall().minus(Duration.ofHours(3)).toEpochMilli();
    var record = new DedupRecord(TaskId.parse("t"), 1, until);
    for (int i = 0; i < OLD; i++) {
      Outcome done = answer(store.commit(Commit.when()
          .put(old(i), Records.encode(record))
          .put(Keys.dedupExpiry(until, "key:old " + i), new byte[0])
          .build()));
      assertThat(done).isInstanceOf(Outcome.Done.class);
    }
  }

  private static boolean isFull(Store store) throws Exception {
    try {
      Outcome unused = answer(
          store.commit(Commit.when().put(Keys.dedup("new"), new byte[] {1}).build()));
      return false;
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(StoreException.Full.class);
      return true;
    }
  }

  private static Scheduler lead(ThreadLoop loop, Store store, String node) {
    var scheduler = new Scheduler(
        loop,
        store,
        store,
        node,
        ElectionSettings.DEFAULT,
        LeaderSettings.DEFAULT,
        Strategies.builtIn(),
        Observer.NOBODY);
    loop.post(scheduler::start);
    return scheduler;
  }

  @Test
  void a_leader_is_elected_and_forgets_what_is_due() throws Exception {
    try (Store store = open(0)) {
      writeOld(store);
    }
    try (Store store = openFull();
        var loop = new ThreadLoop("decide", Time.system(), new SplittableRandom(1), broken::set)) {
      assertThat(isFull(store)).isTrue();
      Scheduler scheduler = lead(loop, store, "node~1");
      Awaitility.await("a leader forgets")
          .atMost(PATIENCE)
          .until(() -> answer(store.get(List.of(old(0), old(OLD - 1)))).isEmpty());
      assertThat(answer(store.get(List.of(Keys.FENCE)))).hasSize(1);
      assertThat(isFull(store)).isTrue();
      loop.post(scheduler::stop);
    }
    assertThat(broken.get()).isNull();
  }

  @Test
  void a_lead_that_was_given_up_is_won_again() throws Exception {
    try (Store store = openFull();
        var loop = new ThreadLoop("decide", Time.system(), new SplittableRandom(1), broken::set)) {
      Scheduler first = lead(loop, store, "node~1");
      awaitLeader(store, "node~1");
      loop.post(first::stop);
      Scheduler second = lead(loop, store, "node~2");
      awaitLeader(store, "node~2");
      loop.post(second::stop);
    }
    assertThat(broken.get()).isNull();
  }

  private static void awaitLeader(Store store, String node) {
    Awaitility.await("the term of " + node)
        .atMost(PATIENCE)
        .until(() -> answer(store.get(List.of(Keys.FENCE))).stream()
            .anyMatch(term -> Records.term(term.value()).leader().equals(node)));
  }
}
