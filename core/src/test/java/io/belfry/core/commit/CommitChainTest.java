package io.belfry.core.commit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import io.belfry.testkit.FaultyStore;
import io.belfry.testkit.FullStore;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CommitChainTest {
  private static final Key KEY = Keys.news("n~1", 0);
  private static final Key TASK = Key.of(Keys.BURIED, "what the batch writes");

  /** Runs everything at once when the test calls it. Threading: confined to its test. */
  private final class Steps implements Loop {
    final Deque<Runnable> steps = new ArrayDeque<>();

    @Override
    public Time time() {
      return time;
    }

    @Override
    public RandomGenerator random() {
      return new SplittableRandom(1);
    }

    @Override
    public void post(Runnable step) {
      steps.add(step);
    }

    @Override
    public Timer after(Duration delay, Runnable step) {
      steps.add(step);
      return () -> {};
    }

    void one() {
      steps.remove().run();
    }

    void all() {
      while (!steps.isEmpty()) {
        one();
      }
    }
  }

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private MemoryStore memory = new MemoryStore(time, Runnable::run);
  private final FullStore room = new FullStore(new DelegatingStore(memory) {
    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      return memory.commit(commit);
    }
  });
  private final FaultyStore faulty = new FaultyStore(room);
  private final Steps loop = new Steps();
  private final CommitChain chain = new CommitChain(
      new RetryingCommitter(loop, faulty, () -> true, hopeless -> {
        throw new AssertionError(hopeless);
      }),
      KEY,
      bytes("nothing"));
  private final List<CommitChain.Link> heard = new ArrayList<>();
  private final List<StoreException> noRoom = new ArrayList<>();

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private void commit(String word) {
    Commit content = Commit.when().put(TASK, bytes(word)).build();
    chain.commit(content, bytes(word), heard::add);
  }

  private void commitUnlessFull(String word) {
    Commit content = Commit.when().put(TASK, bytes(word)).build();
    chain.commit(content, bytes(word), heard::add, noRoom::add);
  }

  private void forget() {
    Outcome unused = memory
        .commit(Commit.when().delete(KEY).delete(TASK).build())
        .toCompletableFuture()
        .join();
  }

  private List<String> stands() {
    return memory.get(List.of(KEY, TASK)).toCompletableFuture().join().stream()
        .map(entry -> new String(entry.value(), UTF_8))
        .toList();
  }

  @Test
  void a_batch_whose_answer_got_lost_is_applied_once() {
    commit("one");
    loop.all();
    faulty.loseNextAnswer();
    commit("two");
    loop.all();
    assertThat(heard).hasSize(2).allMatch(link -> link instanceof CommitChain.Link.Applied);
    assertThat(stands()).containsExactly("two", "two");
  }

  @Test
  void the_answer_to_the_opening_may_get_lost() {
    faulty.loseNextAnswer();
    commit("one");
    loop.all();
    assertThat(heard).hasSize(1).allMatch(link -> link instanceof CommitChain.Link.Applied);
    assertThat(stands()).containsExactly("one", "one");
  }

  @Test
  void a_chain_whose_key_was_taken_away_begins_anew() {
    commit("one");
    loop.all();
    forget();
    commit("two");
    loop.all();
    assertThat(heard).hasSize(2).allMatch(link -> link instanceof CommitChain.Link.Applied);
    assertThat(stands()).containsExactly("two", "two");
  }

  @Test
  void a_batch_that_may_have_been_applied_before_the_key_was_taken_away_is_not_sent_again() {
    commit("one");
    loop.all();
    faulty.loseNextAnswer();
    commit("two");
    loop.one(); // hears that no answer came
    forget();
    loop.all();
    assertThat(heard).hasSize(2).last().isInstanceOf(CommitChain.Link.Forgotten.class);
    assertThat(stands()).isEmpty();
    commit("three");
    loop.all();
    assertThat(heard).hasSize(3).last().isInstanceOf(CommitChain.Link.Applied.class);
  }

  @Test
  void a_first_batch_that_may_have_been_applied_is_not_sent_again_either() {
    commit("one");
    faulty.loseNextAnswer();
    loop.one(); // the opening is answered, and the batch goes out
    assertThat(stands()).containsExactly("one", "one");
    loop.one();
    forget();
    loop.all();
    assertThat(heard).hasSize(1).first().isInstanceOf(CommitChain.Link.Forgotten.class);
    assertThat(stands()).isEmpty();
  }

  @Nested
  class Of_an_engine_that_lost_what_it_had_acknowledged {
    /** The engine is restored to its state after the first link. */
    private void goBack() {
      var earlier = new MemoryStore(time, Runnable::run);
      Outcome opened = earlier
          .commit(Commit.when().absent(KEY).put(KEY, bytes("one")).build())
          .toCompletableFuture()
          .join();
      assertThat(opened).isInstanceOf(Outcome.Done.class);
      memory = earlier;
    }

    @Test
    void the_next_batch_is_added_where_the_chain_ends_now() {
      commit("one");
      loop.all();
      commit("two");
      loop.all();
      goBack();
      commit("three");
      loop.all();
      assertThat(heard).hasSize(3).allMatch(link -> link instanceof CommitChain.Link.Applied);
      assertThat(stands()).containsExactly("three", "three");
    }

    @Test
    void a_batch_that_was_under_way_does_not_take_an_older_one_for_itself() {
      commit("one");
      loop.all();
      commit("two");
      loop.all();
      faulty.loseNextAnswer();
      commit("three");
      loop.one(); // hears that no answer came
      goBack();
      loop.all();
      assertThat(heard).hasSize(3).allMatch(link -> link instanceof CommitChain.Link.Applied);
      assertThat(stands()).containsExactly("three", "three");
    }
  }

  /** Like a restored etcd: it shows old writes under the new epoch. */
  @Nested
  class Of_an_engine_that_was_restored {
    private void restore(String word) {
      var restored = new MemoryStore(time, Runnable::run);
      restored.beginEpoch();
      Outcome opened = restored
          .commit(Commit.when().absent(KEY).put(KEY, bytes(word)).build())
          .toCompletableFuture()
          .join();
      assertThat(opened).isInstanceOf(Outcome.Done.class);
      memory = restored;
    }

    @Test
    void the_next_batch_is_added_where_the_chain_ends_now() {
      commit("one");
      loop.all();
      restore("one");
      commit("two");
      loop.all();
      commit("three");
      loop.all();
      assertThat(heard).hasSize(3).allMatch(link -> link instanceof CommitChain.Link.Applied);
      assertThat(stands()).containsExactly("three", "three");
    }

    @Test
    void nobody_is_told_that_a_batch_was_applied_that_the_backup_may_not_have() {
      commit("one");
      loop.all();
      faulty.loseNextRequest();
      commit("two");
      loop.one(); // hears that no answer came
      restore("one");
      loop.all();
      assertThat(heard).hasSize(2).last().isInstanceOf(CommitChain.Link.Forgotten.class);
      commit("three");
      loop.all();
      assertThat(heard).hasSize(3).last().isInstanceOf(CommitChain.Link.Applied.class);
      assertThat(stands()).containsExactly("three", "three");
    }
  }

  @Nested
  class Without_room {
    /** Enough steps for everything that happens at once. */
    private void some() {
      for (int i = 0; i < 10 && !loop.steps.isEmpty(); i++) {
        loop.one();
      }
    }

    @Test
    void
        whoever_does_not_wait_is_told_at_once_and_the_chain_goes_on_as_if_nothing_had_been_asked() {
      commitUnlessFull("one");
      loop.all();
      room.full(true);
      commitUnlessFull("two");
      some();
      assertThat(loop.steps).as("nothing is tried again").isEmpty();
      assertThat(noRoom).hasOnlyElementsOfType(StoreException.Full.class).hasSize(1);
      assertThat(stands()).containsExactly("one", "one");
      room.full(false);
      commitUnlessFull("three");
      loop.all();
      assertThat(heard).hasSize(2).allMatch(link -> link instanceof CommitChain.Link.Applied);
      assertThat(stands()).containsExactly("three", "three");
    }

    @Test
    void a_chain_that_cannot_be_opened_is_opened_by_the_next() {
      room.full(true);
      commitUnlessFull("one");
      some();
      assertThat(noRoom).hasOnlyElementsOfType(StoreException.Full.class).hasSize(1);
      assertThat(stands()).isEmpty();
      room.full(false);
      commitUnlessFull("two");
      loop.all();
      assertThat(heard).hasSize(1).allMatch(link -> link instanceof CommitChain.Link.Applied);
      assertThat(stands()).containsExactly("two", "two");
    }

    @Test
    void whoever_waits_is_served_when_there_is_some() {
      commit("one");
      loop.all();
      room.full(true);
      commit("two");
      some();
      assertThat(heard).hasSize(1);
      assertThat(loop.steps).as("it is tried again").isNotEmpty();
      room.full(false);
      loop.all();
      assertThat(heard).hasSize(2).allMatch(link -> link instanceof CommitChain.Link.Applied);
      assertThat(stands()).containsExactly("two", "two");
    }

    @Test
    void what_may_have_been_applied_before_is_told_as_unknown_once_and_goes_on_to_be_settled() {
      commitUnlessFull("one");
      loop.all();
      faulty.loseNextAnswer();
      commitUnlessFull("two");
      room.full(true);
      some();
      assertThat(noRoom).hasOnlyElementsOfType(StoreException.Unknown.class).hasSize(1);
      assertThat(noRoom.getFirst()).hasMessageContaining("may have been written");
      assertThat(heard).hasSize(1);
      room.full(false);
      loop.all();
      assertThat(heard).hasSize(2).allMatch(link -> link instanceof CommitChain.Link.Applied);
      assertThat(stands()).containsExactly("two", "two");
      commitUnlessFull("three");
      loop.all();
      assertThat(noRoom).hasSize(1);
      assertThat(stands()).containsExactly("three", "three");
    }

    @Test
    void an_opening_whose_answer_got_lost_is_settled_before_anything_else() {
      faulty.loseNextAnswer();
      commitUnlessFull("one");
      room.full(true);
      some();
      assertThat(noRoom).hasOnlyElementsOfType(StoreException.Unknown.class).hasSize(1);
      room.full(false);
      loop.all();
      assertThat(heard).hasSize(1).allMatch(link -> link instanceof CommitChain.Link.Applied);
      assertThat(stands()).containsExactly("one", "one");
    }
  }

  @Test
  void somebody_else_in_its_place_is_noticed() {
    commit("one");
    loop.all();
    Outcome unused = memory
        .commit(Commit.when().put(KEY, bytes("intruder")).build())
        .toCompletableFuture()
        .join();
    commit("two");
    assertThatThrownBy(loop::all)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was written by another process");
  }
}
