package io.belfry.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong on the wire and in the engine goes wrong as it does in reality. */
class SimStoreTest {
  private static final Space SPACE = Space.plain("w").inOrder().watchedTogether();
  private static final Key A = Key.of(SPACE, "a");
  private static final Key B = Key.of(SPACE, "b");

  private final World world = new World(2);
  private final SimNode node = new SimNode(world, "n1", 1, Duration.ZERO);
  private final Link link = new Link(world);

  private SimStore store(EngineMode mode, Sabotage... sabotage) {
    var broken = EnumSet.noneOf(Sabotage.class);
    broken.addAll(List.of(sabotage));
    engine = new SimEngine(world, mode, broken);
    return new SimStore(node, engine, link);
  }

  private SimEngine engine = new SimEngine(world, EngineMode.PLAIN, EnumSet.noneOf(Sabotage.class));

  private static Commit put(Key key, String value) {
    return Commit.when().put(key, value.getBytes(UTF_8)).build();
  }

  private void pass(Duration time) {
    world.runUntil(Duration.ofNanos(world.now()).plus(time));
  }

  private <T> T answer(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    for (int i = 0; i < 100 && !future.isDone(); i++) {
      pass(Duration.ofMillis(100));
    }
    assertThat(future).isDone();
    return future.join();
  }

  private Optional<String> read(SimStore store, Key key) {
    return answer(store.get(List.of(key))).stream()
        .findFirst()
        .map(e -> new String(e.value(), UTF_8));
  }

  /** A watcher that writes down what it hears. */
  private static final class Heard implements Watcher {
    final List<String> words = new ArrayList<>();

    @Override
    public void opened(long revision) {
      words.add("opened");
    }

    @Override
    public void changed(long revision, List<Change> changes) {
      for (Change change : changes) {
        words.add(
            change instanceof Change.Put(Entry e)
                ? e.key().text() + "=" + new String(e.value(), UTF_8)
                : change.key().text() + " deleted");
      }
    }

    @Override
    public void compacted() {
      words.add("compacted");
    }
  }

  @Nested
  class Refused {
    @ParameterizedTest
    @EnumSource(Refusals.Reason.class)
    void nothing_is_carried_out_for_as_long_as_that_lasts(Refusals.Reason reason) {
      SimStore store = store(EngineMode.ETCD);
      engine
          .refusals()
          .add(
              new Refusals.Rule(reason, reason.calls(), Optional.of("n1"), 1),
              Duration.ofSeconds(5));
      CompletableFuture<Outcome> commit = store.commit(put(A, "1")).toCompletableFuture();
      CompletableFuture<?> grant = store.grant(Duration.ofSeconds(4)).toCompletableFuture();
      pass(Duration.ofSeconds(1));
      assertThat(commit.exceptionNow()).hasSameClassAs(reason.exception());
      assertThat(grant).isCompletedExceptionally();
      assertThat(engine.state().slots()).isEmpty();
      assertThat(engine.state().leases()).isEmpty();
      pass(Duration.ofSeconds(5));
      assertThat(answer(store.commit(put(A, "2")))).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void another_node_is_served() {
      SimStore store = store(EngineMode.REDIS);
      engine
          .refusals()
          .add(
              new Refusals.Rule(
                  Refusals.Reason.DENIED, EnumSet.allOf(Refusals.Call.class), Optional.of("n2"), 1),
              Duration.ofSeconds(5));
      assertThat(answer(store.commit(put(A, "1")))).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void a_watch_opens_and_ends() {
      SimStore store = store(EngineMode.ETCD);
      engine
          .refusals()
          .add(
              new Refusals.Rule(
                  Refusals.Reason.DENIED, EnumSet.of(Refusals.Call.WATCH), Optional.empty(), 1),
              Duration.ofSeconds(5));
      var heard = new Heard();
      store.watch(Feed.of(SPACE), Watch.NOW, heard);
      pass(Duration.ofSeconds(1));
      assertThat(heard.words).containsExactly("opened", "compacted");
    }
  }

  @Nested
  class On_the_wire {
    @ParameterizedTest
    @EnumSource(names = {"ETCD", "REDIS"})
    void a_commit_whose_answer_is_lost_is_unknown_and_was_applied(EngineMode mode) {
      SimStore store = store(mode);
      link.cut(Duration.ofSeconds(5), true);
      CompletableFuture<Outcome> outcome = store.commit(put(A, "1")).toCompletableFuture();
      pass(Duration.ofSeconds(3));
      assertThat(outcome).isCompletedExceptionally();
      assertThat(outcome.exceptionNow()).isInstanceOf(StoreException.Unknown.class);
      assertThat(engine.state().slots()).containsKey(A);
    }

    @ParameterizedTest
    @EnumSource(names = {"ETCD", "REDIS"})
    void a_commit_reported_as_unknown_may_be_applied_later(EngineMode mode) {
      int late = 0;
      for (int i = 0; i < 40; i++) {
        SimStore store = store(mode);
        link.cut(Duration.ofSeconds(1), false);
        CompletableFuture<Outcome> outcome = store.commit(put(A, "1")).toCompletableFuture();
        pass(SimStore.TIMEOUT);
        assertThat(outcome).isCompletedExceptionally();
        boolean then = engine.state().slots().containsKey(A);
        assertThat(then).isFalse();
        pass(Duration.ofSeconds(10));
        if (engine.state().slots().containsKey(A)) {
          assertThat(outcome.exceptionNow()).isInstanceOf(StoreException.Unknown.class);
          late++;
        }
      }
      assertThat(late).isBetween(1, 39);
    }

    @Test
    void a_read_that_is_lost_is_unavailable() {
      SimStore store = store(EngineMode.REDIS);
      link.cut(Duration.ofSeconds(5), true);
      CompletableFuture<List<Entry>> found = store.get(List.of(A)).toCompletableFuture();
      pass(Duration.ofSeconds(3));
      assertThat(found.exceptionNow()).isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void a_watch_goes_on_after_a_cut_or_says_compacted_when_the_feed_was_forgotten() {
      SimStore store = store(EngineMode.ETCD);
      var heard = new Heard();
      store.watch(Feed.of(SPACE), Watch.NOW, heard);
      pass(Duration.ofSeconds(1));
      link.cut(Duration.ofSeconds(3), true);
      store.commit(put(A, "1"));
      pass(Duration.ofSeconds(2));
      assertThat(heard.words).containsExactly("opened");
      pass(Duration.ofSeconds(4));
      assertThat(heard.words).containsExactly("opened", "a=1");

      link.cut(Duration.ofSeconds(3), true);
      store.commit(put(A, "2"));
      pass(Duration.ofSeconds(1));
      engine.feeds().forget();
      pass(Duration.ofSeconds(9));
      assertThat(heard.words).containsExactly("opened", "a=1", "compacted");
    }
  }

  @Nested
  class Leases {
    @ParameterizedTest
    @EnumSource
    void run_out_while_nobody_asks_but_never_early(EngineMode mode) {
      SimStore store = store(mode);
      Lease lease = answer(store.grant(Duration.ofSeconds(3)));
      long granted = world.now();
      answer(store.commit(Commit.when().put(A, new byte[1], lease.id()).build()));
      world.runUntil(Duration.ofNanos(granted).plusMillis(2_000));
      assertThat(engine.state().slots()).containsKey(A);
      pass(Duration.ofSeconds(2));
      assertThat(engine.state().slots()).doesNotContainKey(A);
      assertThat(answer(store.renew(lease.id()))).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void start_over_when_the_engine_was_away(EngineMode mode) {
      SimStore store = store(mode);
      Lease lease = answer(store.grant(Duration.ofSeconds(3)));
      answer(store.commit(Commit.when().put(A, new byte[1], lease.id()).build()));
      engine.pause(Duration.ofSeconds(20));
      pass(Duration.ofSeconds(22));
      assertThat(answer(store.renew(lease.id()))).isTrue();
    }
  }

  @Nested
  class On_Redis {
    @Test
    void a_failover_takes_back_what_was_not_replicated_and_begins_an_epoch() {
      SimStore store = store(EngineMode.REDIS);
      var heard = new Heard();
      store.watch(Feed.of(SPACE), Watch.NOW, heard);
      long kept = ((Outcome.Done) answer(store.commit(put(A, "kept")))).revision();
      pass(Duration.ofSeconds(1));
      engine.stallReplication(Duration.ofSeconds(60));
      CompletableFuture<Outcome> lost = store.commit(put(A, "lost")).toCompletableFuture();
      pass(Duration.ofSeconds(1));
      assertThat(lost).isNotDone();
      engine.failover(Duration.ofSeconds(1));
      pass(Duration.ofSeconds(5));
      assertThat(lost.exceptionNow()).isInstanceOf(StoreException.Unknown.class);
      assertThat(read(store, A)).contains("kept");
      assertThat(heard.words).containsExactly("opened", "a=kept", "compacted");
      assertThat(answer(
              store.commit(Commit.when().holds(A, kept).put(B, new byte[1]).build())))
          .isInstanceOf(Outcome.Refused.class);
      assertThat(answer(
              store.commit(Commit.when().unchanged(A, kept).put(B, new byte[1]).build())))
          .isInstanceOfSatisfying(
              Outcome.Done.class, done -> assertThat(done.revision()).isGreaterThan(kept));
    }

    @Test
    void without_a_new_epoch_revisions_repeat() {
      SimStore store = store(EngineMode.REDIS, Sabotage.NO_NEW_EPOCH);
      engine.stallReplication(Duration.ofSeconds(60));
      store.commit(put(A, "lost"));
      pass(Duration.ofSeconds(1));
      long lost = engine.state().revision();
      engine.failover(Duration.ofMillis(1));
      pass(Duration.ofSeconds(3));
      assertThat(((Outcome.Done) answer(store.commit(put(B, "again")))).revision())
          .isEqualTo(lost);
    }

    @Test
    void a_sabotaged_watch_tells_what_is_taken_back() {
      SimStore store = store(EngineMode.REDIS, Sabotage.WATCH_BEFORE_REPLICATION);
      var heard = new Heard();
      store.watch(Feed.of(SPACE), Watch.NOW, heard);
      pass(Duration.ofSeconds(1));
      engine.stallReplication(Duration.ofSeconds(60));
      store.commit(put(A, "lost"));
      pass(Duration.ofSeconds(1));
      engine.failover(Duration.ofMillis(1));
      pass(Duration.ofSeconds(3));
      assertThat(heard.words).containsExactly("opened", "a=lost", "compacted");
    }
  }

  @Nested
  class On_etcd {
    private final Commit xIfNoY = Commit.when().absent(B).put(A, new byte[1]).build();
    private final Commit yIfNoX = Commit.when().absent(A).put(B, new byte[1]).build();

    /** The first commits keep the wire busy, so that the two gather. */
    private int bothHandedOver(SimStore store) {
      for (int i = 0; i < 3; i++) {
        store.commit(put(Key.of(SPACE, "busy" + i), ""));
      }
      store.commit(xIfNoY);
      store.commit(yIfNoX);
      pass(Duration.ofSeconds(10));
      return (engine.state().slots().containsKey(A) ? 1 : 0)
          + (engine.state().slots().containsKey(B) ? 1 : 0);
    }

    @Test
    void commits_that_touch_each_other_never_share_a_batch() {
      for (int i = 0; i < 50; i++) {
        assertThat(bothHandedOver(store(EngineMode.ETCD))).isEqualTo(1);
      }
    }

    @Test
    void without_that_rule_two_exclusive_commits_both_succeed() {
      int skewed = 0;
      for (int i = 0; i < 50; i++) {
        skewed += bothHandedOver(store(EngineMode.ETCD, Sabotage.BATCHES_NOT_DISJOINT)) - 1;
      }
      assertThat(skewed).isPositive();
    }
  }
}
