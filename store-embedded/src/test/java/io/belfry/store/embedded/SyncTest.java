package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody hears of anything before it is on the disk, and one sync serves everybody who waits. */
class SyncTest {
  private static final Space SPACE = Space.plain("s").inOrder().watchedTogether();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  private final HoldingDisk disk = new HoldingDisk();

  @SuppressWarnings("NullAway.Init") // opened before each test
  private EmbeddedStore store;

  @BeforeEach
  void open() {
    store = EmbeddedStore.open(EmbeddedSettings.of(temp.resolve("store")), Time.system(), disk);
    disk.holding = true;
  }

  @AfterEach
  void close() {
    disk.holding = false;
    disk.allowed.release(1_000);
    store.close();
    assertThat(disk.unsynced).hasValue(0);
  }

  private CompletableFuture<Outcome> commit(Commit.Builder commit) {
    return store.commit(commit.build()).toCompletableFuture();
  }

  @Test
  void neither_callers_nor_readers_nor_watchers_hear_before_the_sync() {
    Key key = Key.of(SPACE, "k");
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
      ear.opened();
      CompletableFuture<Outcome> caller = commit(Commit.when().put(key, bytes("1")));
      disk.arrived.acquireUninterruptibly();
      assertThat(read(store, key)).isEmpty();
      assertThat(ear.silentFor(Duration.ofMillis(200))).isTrue();
      assertThat(caller).isNotDone();
      disk.allowed.release();
      assertThat(answer(caller)).isInstanceOf(Outcome.Done.class);
      assertThat(ear.changed().changes()).hasSize(1);
      assertThat(read(store, key)).contains("1");
    }
  }

  @Test
  void what_gathers_during_a_sync_shares_the_next_and_each_commit_sees_those_before_it() {
    CompletableFuture<Outcome> first =
        commit(Commit.when().put(Key.of(SPACE, "first"), bytes("1")));
    disk.arrived.acquireUninterruptibly();
    Key contended = Key.of(SPACE, "contended");
    List<CompletableFuture<Outcome>> others = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      others.add(commit(Commit.when().absent(contended).put(contended, bytes("" + i))));
    }
    int before = disk.writes.get();
    disk.holding = false;
    disk.allowed.release();
    answer(first);
    assertThat(answer(others.getFirst())).isInstanceOf(Outcome.Done.class);
    for (CompletableFuture<Outcome> refused : others.subList(1, others.size())) {
      assertThat(answer(refused))
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              outcome -> assertThat(outcome.guard()).isEqualTo(new Guard.Absent(contended)));
    }
    assertThat(disk.writes.get() - before).as("syncs for a hundred commits").isLessThan(10);
    assertThat(read(store, contended)).contains("0");
  }

  @Test
  void a_batch_in_which_every_commit_is_refused_needs_no_sync() {
    disk.holding = false;
    Key key = Key.of(SPACE, "k");
    answer(commit(Commit.when().put(key, bytes("1"))));
    int before = disk.writes.get();
    assertThat(answer(commit(Commit.when().absent(key).put(key, bytes("2")))))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(disk.writes.get()).isEqualTo(before);
  }
}
