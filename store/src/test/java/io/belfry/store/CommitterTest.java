package io.belfry.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CommitterTest {
  private static final Space SPACE = Space.plain("s");
  private static final BatchRule ONE_AWAY = new BatchRule(10, 10, 100, 10_000, 1, 1, false);
  private static final BatchRule DISJOINT = new BatchRule(10, 10, 20, 10_000, 4, 1, true);

  /** An engine that answers when told, so that a test decides what is away. */
  private static final class Engine implements Committer.Sender {
    final List<List<Commit>> batches = new ArrayList<>();
    final List<CompletableFuture<List<Outcome>>> replies = new ArrayList<>();
    private long revision;

    @Override
    public CompletionStage<List<Outcome>> send(List<Commit> batch) {
      var reply = new CompletableFuture<List<Outcome>>();
      batches.add(batch);
      replies.add(reply);
      return reply;
    }

    void answer(int batch) {
      replies
          .get(batch)
          .complete(batches.get(batch).stream()
              .<Outcome>map(commit -> new Outcome.Done(++revision))
              .toList());
    }

    /** The keys that were written, batch after batch. */
    List<String> written() {
      return batches.stream()
          .flatMap(List::stream)
          .map(commit -> commit.writes().getFirst().key().text())
          .toList();
    }

    List<Integer> sizes() {
      return batches.stream().map(List::size).toList();
    }
  }

  private final Engine engine = new Engine();

  private static Key key(String name) {
    return Key.of(SPACE, name);
  }

  private static Commit put(String name) {
    return Commit.when().put(key(name), "v".getBytes(UTF_8)).build();
  }

  private static Commit pair(String name) {
    return Commit.when()
        .put(key(name + 1), new byte[1])
        .put(key(name + 2), new byte[1])
        .build();
  }

  private static Commit guarded(String guard, String written) {
    return Commit.when()
        .absent(key(guard))
        .put(key(written), "v".getBytes(UTF_8))
        .build();
  }

  private static List<CompletableFuture<Outcome>> commit(Committer committer, Commit... commits) {
    return List.of(commits).stream()
        .map(one -> committer.commit(one).toCompletableFuture())
        .toList();
  }

  @Nested
  class Gathering {
    @Test
    void the_first_leaves_at_once_and_the_rest_gathers_while_it_is_away() {
      var committer = new Committer(ONE_AWAY, engine);
      var callers = commit(committer, put("a"), put("b"), put("c"));
      assertThat(engine.sizes()).containsExactly(1);
      engine.answer(0);
      assertThat(engine.sizes()).containsExactly(1, 2);
      engine.answer(1);
      assertThat(callers).allMatch(CompletableFuture::isDone);
    }

    @Test
    void callers_are_completed_in_order_with_their_own_outcomes() {
      var committer = new Committer(ONE_AWAY, engine);
      var heard = new ArrayList<String>();
      for (String name : List.of("a", "b", "c", "d")) {
        var unused = committer.commit(put(name)).thenAccept(outcome -> heard.add(name + outcome));
      }
      engine.answer(0);
      engine.answer(1);
      assertThat(heard)
          .containsExactly(
              "aDone[revision=1]", "bDone[revision=2]", "cDone[revision=3]", "dDone[revision=4]");
    }

    @Test
    void a_batch_keeps_within_the_rule() {
      var committer = new Committer(ONE_AWAY, engine);
      for (int i = 0; i < 26; i++) {
        commit(committer, put("k" + i));
      }
      for (int batch = 0; batch < 4; batch++) {
        engine.answer(batch);
      }
      assertThat(engine.sizes()).containsExactly(1, 10, 10, 5);
    }

    @Test
    void commits_and_writes_are_counted_each_by_itself() {
      var few = new Committer(new BatchRule(2, 100, 100, 100_000, 1, 1, false), engine);
      commit(few, put("a"), put("b"), put("c"), put("d"));
      engine.answer(0);
      assertThat(engine.sizes()).containsExactly(1, 2);

      var other = new Engine();
      var narrow = new Committer(new BatchRule(100, 4, 100, 100_000, 1, 1, false), other);
      commit(narrow, put("first"), pair("a"), pair("b"), pair("c"));
      other.answer(0);
      assertThat(other.sizes()).containsExactly(1, 2);
    }

    @Test
    void a_commit_too_heavy_for_any_batch_travels_alone() {
      var committer = new Committer(ONE_AWAY, engine);
      Commit heavy = Commit.when().put(key("heavy"), new byte[20_000]).build();
      commit(committer, put("a"), put("b"), heavy, put("c"));
      for (int batch = 0; batch < 4; batch++) {
        engine.answer(batch);
      }
      assertThat(engine.sizes()).containsExactly(1, 1, 1, 1);
    }

    @Test
    void further_batches_leave_only_when_there_is_enough_to_send() {
      var committer = new Committer(new BatchRule(10, 100, 100, 10_000, 3, 4, false), engine);
      commit(committer, put("a"), put("b"), put("c"), put("d"));
      assertThat(engine.sizes()).containsExactly(1);
      commit(committer, put("e"));
      assertThat(engine.sizes()).containsExactly(1, 4);
    }

    @Test
    void an_engine_that_answers_at_once_is_served_without_deep_recursion() {
      var sent = new AtomicInteger();
      var committer = new Committer(ONE_AWAY, batch -> {
        sent.addAndGet(batch.size());
        return CompletableFuture.completedStage(
            batch.stream().<Outcome>map(commit -> new Outcome.Done(1)).toList());
      });
      IntStream.range(0, 50_000).forEach(i -> commit(committer, put("k" + i)));
      assertThat(sent).hasValue(50_000);
    }
  }

  @Nested
  class Disjoint_batches {
    @Test
    void a_commit_that_guards_what_an_earlier_one_writes_waits_for_it() {
      var committer = new Committer(DISJOINT, engine);
      commit(committer, guarded("y", "x"), guarded("x", "y"));
      assertThat(engine.sizes()).containsExactly(1);
      engine.answer(0);
      assertThat(engine.sizes()).containsExactly(1, 1);
    }

    @Test
    void a_commit_that_only_guards_what_an_earlier_one_writes_waits_too() {
      commit(new Committer(DISJOINT, engine), put("x"), guarded("x", "z"));
      assertThat(engine.sizes()).containsExactly(1);
    }

    @Test
    void a_commit_that_writes_what_an_earlier_one_guards_or_writes_waits_for_it() {
      var committer = new Committer(DISJOINT, engine);
      commit(committer, guarded("fence", "a"), put("fence"), put("a"));
      assertThat(engine.sizes()).containsExactly(1);
      engine.answer(0);
      assertThat(engine.written()).containsExactly("a", "fence", "a");
    }

    @Test
    void reading_the_same_fence_keeps_nobody_apart() {
      var committer = new Committer(DISJOINT, engine);
      commit(committer, guarded("fence", "a"), guarded("fence", "b"), guarded("fence", "c"));
      assertThat(engine.batches.stream().mapToInt(List::size).sum()).isEqualTo(3);
    }

    @Test
    void one_busy_key_does_not_hold_up_the_others_and_is_not_overtaken() {
      var committer = new Committer(DISJOINT, engine);
      commit(committer, put("busy"), guarded("other", "busy"), put("other"), put("free"));
      assertThat(engine.written()).containsExactly("busy", "free");
      engine.answer(0);
      assertThat(engine.written()).containsExactly("busy", "free", "busy");
    }

    @Test
    void the_nesting_counts_commits_and_the_largest_of_them() {
      var committer = new Committer(new BatchRule(10, 100, 12, 100_000, 1, 1, true), engine);
      Commit.Builder wide = Commit.when();
      IntStream.range(0, 9).forEach(i -> wide.put(key("w" + i), new byte[1]));
      commit(committer, put("first"), put("a"), put("b"), wide.build(), put("c"));
      engine.answer(0);
      assertThat(engine.sizes()).containsExactly(1, 3);
    }
  }

  @Nested
  class Failures {
    @Test
    void a_batch_that_fails_fails_its_callers_and_nobody_else() {
      var committer = new Committer(ONE_AWAY, engine);
      var callers = commit(committer, put("a"), put("b"));
      engine.replies.get(0).completeExceptionally(new StoreException.Unavailable("away", null));
      engine.answer(1);
      assertThatThrownBy(callers.get(0)::join).hasCauseInstanceOf(StoreException.Unavailable.class);
      assertThat(callers.get(1).join()).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void a_failure_that_nobody_foresaw_is_called_unknown() {
      var committer = new Committer(ONE_AWAY, batch -> {
        throw new IllegalStateException("a bug");
      });
      assertThatThrownBy(commit(committer, put("a")).getFirst()::join)
          .hasCauseInstanceOf(StoreException.Unknown.class)
          .hasRootCauseMessage("a bug");
    }

    @Test
    void closing_refuses_what_waits_and_leaves_what_is_away_to_the_engine() {
      var committer = new Committer(ONE_AWAY, engine);
      var callers = commit(committer, put("a"), put("b"));
      committer.close();
      committer.close();
      assertThat(callers.get(0)).isNotDone();
      assertThatThrownBy(callers.get(1)::join).hasCauseInstanceOf(StoreException.Closed.class);
      engine.answer(0);
      assertThat(callers.get(0).join()).isInstanceOf(Outcome.Done.class);
      assertThatThrownBy(commit(committer, put("c")).getFirst()::join)
          .hasCauseInstanceOf(StoreException.Closed.class);
    }
  }

  @Nested
  class Deadlines {
    private final List<Long> deadlines = new ArrayList<>();
    private long nanos;

    private final Time time = new Time() {
      @Override
      public Instant wall() {
        return Instant.EPOCH;
      }

      @Override
      public long nanos() {
        return nanos;
      }
    };

    private final Committer committer = new Committer(
            ONE_AWAY,
            new Committer.Sender() {
              @Override
              public CompletionStage<List<Outcome>> send(List<Commit> batch) {
                throw new IllegalStateException("a batch has a deadline here");
              }

              @Override
              public CompletionStage<List<Outcome>> send(List<Commit> batch, long deadline) {
                deadlines.add(deadline);
                return engine.send(batch);
              }
            },
            time,
            CommitObserver.NONE)
        .patience(Duration.ofNanos(100));

    @Test
    void a_batch_is_due_when_its_oldest_commit_is_however_long_that_waited() {
      commit(committer, put("a"));
      nanos = 10;
      commit(committer, put("b"));
      nanos = 20;
      commit(committer, put("c"));
      nanos = 90;
      engine.answer(0);
      assertThat(deadlines).containsExactly(100L, 110L);
    }

    /** Protects callers behind a dead engine: three batches a time would take minutes to work off what waits. */
    @Test
    void whoever_waited_for_too_long_fails_when_the_batch_before_it_does_and_is_never_sent() {
      commit(committer, put("a"));
      var behind = commit(committer, put("b"), put("c"));
      nanos = 100;
      var late = commit(committer, put("d")).getFirst();
      engine.replies.getFirst().completeExceptionally(new StoreException.Unknown("lost", null));
      assertThat(behind).allSatisfy(each -> {
        assertThat(each).isCompletedExceptionally(); // or the join below would never end
        assertThatThrownBy(each::join)
            .hasCauseInstanceOf(StoreException.Unavailable.class)
            .hasMessageContaining("waited for its turn");
      });
      assertThat(engine.written()).containsExactly("a", "d");
      engine.answer(1);
      assertThat(late.join()).isInstanceOf(Outcome.Done.class);
    }
  }

  @Nested
  class Observing {
    private final List<String> seen = new ArrayList<>();
    private long nanos;

    private final Time time = new Time() {
      @Override
      public Instant wall() {
        return Instant.EPOCH;
      }

      @Override
      public long nanos() {
        return nanos;
      }
    };

    private Committer observed(Committer.Sender sender) {
      return new Committer(
          ONE_AWAY,
          sender,
          time,
          (commits, took, answered) -> seen.add(commits + " in " + took + " " + answered));
    }

    @Test
    void each_batch_is_seen_with_its_size_and_how_long_it_was_away() {
      var committer = observed(engine);
      var unused = commit(committer, put("a"), put("b"), put("c"));
      nanos = 7;
      engine.answer(0);
      assertThat(seen).containsExactly("1 in 7 true");
      nanos = 20;
      engine.answer(1);
      assertThat(seen).containsExactly("1 in 7 true", "2 in 13 true");
    }

    @Test
    void a_batch_that_fails_is_seen_as_unanswered() {
      var committer = observed(batch ->
          CompletableFuture.failedStage(new StoreException.Unavailable("away, on purpose", null)));
      var callers = commit(committer, put("a"));
      assertThat(callers.getFirst()).isCompletedExceptionally();
      assertThat(seen).containsExactly("1 in 0 false");
    }
  }
}
