package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Space;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.testkit.contract.Subject;
import io.belfry.testkit.contract.WatchProbe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The feed is bounded, and slow watchers pay for it, not commits. */
class FeedTest {
  private static final Space SPACE = Space.plain("s").inOrder().watchedTogether();
  private static final Key KEY = Key.of(SPACE, "k");
  private static final int STEPS = 100;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  @SuppressWarnings("NullAway.Init") // opened before each test
  private EmbeddedStore store;

  @BeforeEach
  void open() {
    store = EmbeddedStore.open(
        EmbeddedSettings.of(temp.resolve("store")).feed(STEPS, EmbeddedSettings.MIB * 2));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void write(int count, int size) {
    var answers = new ArrayList<CompletionStage<?>>();
    for (int i = 0; i < count; i++) {
      answers.add(store.commit(Commit.when().put(KEY, new byte[size]).build()));
    }
    answers.forEach(stage -> answer(stage.thenApply(done -> true)));
  }

  @Test
  void it_reaches_back_as_many_steps_as_it_may() {
    long first = put(store, KEY, "first");
    write(STEPS, 10);
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(SPACE), first, ear)) {
      ear.opened();
      for (int i = 0; i < STEPS; i++) {
        ear.changed();
      }
    }
    write(1, 10);
    WatchProbe late = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(SPACE), first, late)) {
      late.awaitCompacted();
    }
  }

  @Test
  void it_reaches_back_as_many_bytes_as_it_may() {
    long first = put(store, KEY, "first");
    write(5, 600_000);
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(SPACE), first, ear)) {
      ear.awaitCompacted();
    }
  }

  /** A regression must fail the build, not hang it. */
  private static void awaitSoon(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(Subject.PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_watcher_that_stands_still_does_not_hold_up_commits_and_must_scan_again()
      throws InterruptedException {
    var blocked = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var compacted = new CountDownLatch(1);
    Watcher slow = new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        blocked.countDown();
        try {
          awaitSoon(release);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }

      @Override
      public void compacted() {
        compacted.countDown();
      }
    };
    try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, slow)) {
      put(store, KEY, "1");
      awaitSoon(blocked);
      write(3 * STEPS, 10);
      put(store, KEY, "still taken");
      assertThat(read(store, KEY)).contains("still taken");
      release.countDown();
      awaitSoon(compacted);
    }
  }

  @Test
  void a_watcher_that_throws_must_scan_again_and_harms_nobody() throws InterruptedException {
    var compacted = new CountDownLatch(1);
    Watcher throwing = new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        throw new AssertionError("a bug in a watcher"); // worse than an exception
      }

      @Override
      public void compacted() {
        compacted.countDown();
      }
    };
    WatchProbe ear = new WatchProbe();
    try (Watch one = store.watch(Feed.of(SPACE), Watch.NOW, throwing);
        Watch other = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
      ear.opened();
      put(store, KEY, "1");
      put(store, KEY, "2");
      awaitSoon(compacted);
      ear.changed();
      Change second = ear.changed().changes().getFirst();
      assertThat(second)
          .isInstanceOfSatisfying(
              Change.Put.class,
              put -> assertThat(put.entry()).extracting(Entry::value).isEqualTo(bytes("2")));
    }
  }
}
