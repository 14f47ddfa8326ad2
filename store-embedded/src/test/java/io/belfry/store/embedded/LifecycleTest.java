package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.scanAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.testkit.contract.WatchProbe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes on when a store is closed, everybody is answered, truthfully, and no thread stays. */
class LifecycleTest {
  private static final Space SPACE = Space.plain("s").inOrder().watchedTogether();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  private EmbeddedStore open() {
    return EmbeddedStore.open(EmbeddedSettings.of(temp.resolve("store")).memoryBytes(16 << 20));
  }

  private static List<String> ourThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("belfry-store"))
        .toList();
  }

  @RepeatedTest(10)
  void closed_while_busy_it_answers_everybody_truthfully() {
    List<CompletableFuture<Outcome>> commits = new ArrayList<>();
    List<CompletableFuture<?>> reads = new ArrayList<>();
    try (EmbeddedStore store = open()) {
      store.watch(Feed.of(SPACE), Watch.NOW, new WatchProbe());
      for (int i = 0; i < 2_000; i++) {
        commits.add(store.commit(commit(i)).toCompletableFuture());
        if (i % 10 == 0) {
          reads.add(store.scan(Scan.all(SPACE)).toCompletableFuture());
        }
      }
    }
    assertThat(commits).allMatch(CompletableFuture::isDone);
    assertThat(reads).allMatch(CompletableFuture::isDone);
    assertThat(ourThreads()).isEmpty();
    List<String> acknowledged = IntStream.range(0, commits.size())
        .filter(i -> !commits.get(i).isCompletedExceptionally())
        .mapToObj(LifecycleTest::name)
        .toList();
    try (Store store = open()) {
      assertThat(scanAll(store, Scan.all(SPACE)).stream().map(Entry::key).map(Key::text))
          .as("nothing is refused as closed and yet done")
          .containsExactlyElementsOf(acknowledged);
    }
    commits.stream()
        .filter(CompletableFuture::isCompletedExceptionally)
        .forEach(refused ->
            assertThat(refused.exceptionNow()).isInstanceOf(StoreException.Closed.class));
  }

  private static Commit commit(int i) {
    return Commit.when().put(Key.of(SPACE, name(i)), new byte[100]).build();
  }

  private static String name(int i) {
    return "k%05d".formatted(i);
  }

  @Test
  void it_may_be_closed_by_whoever_it_just_answered() {
    EmbeddedStore first = open();
    first.commit(commit(1)).thenRun(first::close).toCompletableFuture().join();
    EmbeddedStore second = open();
    second.scan(Scan.all(SPACE)).thenRun(second::close).toCompletableFuture().join();
    EmbeddedStore third = open();
    var closed = new CompletableFuture<Boolean>();
    third.watch(Feed.of(SPACE), Watch.NOW, new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        third.close();
        closed.complete(true);
      }

      @Override
      public void compacted() {
        closed.complete(false);
      }
    });
    assertThat(answer(third.commit(commit(2)))).isInstanceOf(Outcome.Done.class);
    assertThat(answer(closed)).isTrue();
    open().close();
  }

  @Test
  void native_memory_and_logs_stay_within_their_bounds() throws Exception {
    long memory = 16 << 20;
    Path directory = temp.resolve("store");
    try (DataDirectory held = DataDirectory.hold(directory);
        Database database = new Database(
            EmbeddedSettings.of(directory).memoryBytes(memory), held, Disk.REAL, () -> 1)) {
      NativeLibrary.load();
      State unused = database.open(0);
      byte[] value = new byte[50_000];
      var random = Seeds.random("LifecycleTest");
      for (int i = 0; i < 2_000; i++) {
        random.nextBytes(value);
        var batch = new BatchImage(value.length + 100);
        batch.putEntry(Layout.key(Key.of(SPACE, name(i))), 0, 1, 0, value);
        database.write(batch.toBytes());
      }
      long used = database.read(db -> {
        for (int i = 0; i < 2_000; i++) {
          assertThat(db.get(Layout.key(Key.of(SPACE, name(i))))).hasSize(50_009);
        }
        return db.getLongProperty("rocksdb.block-cache-usage");
      });
      System.out.println("LifecycleTest: " + used / 1024 + " KiB of native memory of "
          + memory / 1024 + ", " + held.logBytes() / 1024 + " KiB of logs");
      assertThat(used).isLessThan(memory + memory / 2);
      assertThat(held.logBytes()).isLessThan(2 * memory);
    }
  }

  @Test
  void a_continuation_that_throws_harms_nobody() {
    try (EmbeddedStore store = open()) {
      CompletableFuture<Object> failed = store
          .commit(commit(1))
          .thenApply(done -> {
            throw new CompletionException(new IllegalStateException("a bug in a caller"));
          })
          .toCompletableFuture();
      assertThat(failed).failsWithin(Duration.ofSeconds(60));
      put(store, Key.of(SPACE, "next"), "1");
    }
  }
}
