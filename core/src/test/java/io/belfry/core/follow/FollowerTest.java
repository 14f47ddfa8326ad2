package io.belfry.core.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.StepLoop;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Changes that arrive during a scan are neither lost nor piled up. */
class FollowerTest {
  private static final int DELETED_MAX = 50;

  /** Answers scans when the test wants it, and knows which watches are open. */
  private static final class SlowScans extends DelegatingStore {
    final List<Runnable> held = new ArrayList<>();
    final List<Watcher> open = new ArrayList<>();

    SlowScans(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Page> scan(Scan scan) {
      var answer = new CompletableFuture<Page>();
      Page page = store.scan(scan).toCompletableFuture().join();
      held.add(() -> answer.complete(page));
      return answer;
    }

    @Override
    public Watch watch(Feed feed, long from, Watcher watcher) {
      open.add(watcher);
      Watch watch = store.watch(feed, from, watcher);
      return () -> {
        open.remove(watcher);
        watch.close();
      };
    }

    void answer() {
      List<Runnable> all = List.copyOf(held);
      held.clear();
      all.forEach(Runnable::run);
    }
  }

  /** What a follower has reported, by the law of the package: the newest revision of each key counts. */
  private static final class Known implements Follower.Sink {
    final Map<String, Long> revisions = new TreeMap<>();
    final Map<String, String> values = new TreeMap<>();
    int puts;
    boolean loaded;

    @Override
    public void loading() {
      loaded = false;
    }

    @Override
    public void put(Entry entry) {
      puts++;
      if (newer(entry.key(), entry.revision())) {
        values.put(entry.key().text(), new String(entry.value(), UTF_8));
      }
    }

    @Override
    public void deleted(Key key, long revision) {
      if (newer(key, revision)) {
        values.remove(key.text());
      }
    }

    private boolean newer(Key key, long revision) {
      long known = revisions.getOrDefault(key.text(), 0L);
      revisions.put(key.text(), Math.max(known, revision));
      return revision > known;
    }

    @Override
    public void loaded() {
      loaded = true;
    }
  }

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final MemoryStore memory = new MemoryStore(time, Runnable::run);
  private final SlowScans slow = new SlowScans(memory);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final Known known = new Known();
  private final Follower follower = new Follower(loop, slow, Keys.REQUESTS, known, DELETED_MAX);

  private void put(String name, String value) {
    commit(Commit.when().put(Keys.request(name), value.getBytes(UTF_8)).build());
  }

  private void delete(String name) {
    commit(Commit.when().delete(Keys.request(name)).build());
  }

  private void commit(Commit commit) {
    assertThat(memory.commit(commit)).isCompleted();
    loop.run(Duration.ofMillis(1));
  }

  @Test
  void many_changes_of_a_few_keys_take_the_room_of_one_each_while_the_space_is_read() {
    put("a", "0");
    put("b", "0");
    follower.start();
    loop.run(Duration.ofMillis(1));
    assertThat(slow.held).hasSize(1);
    for (int i = 1; i <= 10_000; i++) {
      put("a", "" + i);
    }
    put("c", "new");
    delete("b");
    assertThat(follower.kept()).isEqualTo(3);

    slow.answer();
    loop.run(Duration.ofMillis(1));
    assertThat(known.loaded).isTrue();
    assertThat(known.values).containsOnly(Map.entry("a", "10000"), Map.entry("c", "new"));
    assertThat(known.puts).isEqualTo(4);
    assertThat(follower.kept()).isZero();
  }

  @Test
  void so_many_deletions_that_they_take_too_much_room_let_the_space_be_read_again() {
    for (int i = 0; i <= DELETED_MAX; i++) {
      put("k" + i, "0");
    }
    follower.start();
    loop.run(Duration.ofMillis(1));
    for (int i = 0; i <= DELETED_MAX; i++) {
      delete("k" + i);
      assertThat(follower.kept()).isLessThanOrEqualTo(DELETED_MAX);
    }
    put("last", "1");
    slow.answer();
    loop.run(Duration.ofSeconds(1));
    assertThat(known.loaded).isFalse();
    slow.answer();
    loop.run(Duration.ofSeconds(1));
    assertThat(known.loaded).isTrue();
    assertThat(known.values).containsOnly(Map.entry("last", "1"));
    put("last", "2");
    assertThat(known.values).containsOnly(Map.entry("last", "2"));
  }

  @Test
  void there_is_one_watch_also_if_the_space_is_to_be_read_again_between_a_gap_and_its_repair() {
    follower.start();
    load();
    slow.open.getFirst().compacted();
    loop.run(Duration.ofMillis(1));
    assertThat(slow.open).isEmpty();
    follower.startAgain();
    load();
    assertThat(known.loaded).isTrue();
    follower.startAgain();
    load();
    put("a", "1");
    assertThat(known.values).containsOnly(Map.entry("a", "1"));
    follower.stop();
    assertThat(slow.open).isEmpty();
  }

  /** Until the scan is complete and all pending steps have run. */
  private void load() {
    for (int i = 0; i < 3; i++) {
      loop.run(Duration.ofSeconds(1));
      assertThat(slow.open).hasSize(1);
      slow.answer();
    }
    loop.run(Duration.ofSeconds(1));
    assertThat(slow.open).hasSize(1);
  }
}
