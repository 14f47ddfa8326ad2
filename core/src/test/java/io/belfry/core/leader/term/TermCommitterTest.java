package io.belfry.core.leader.term;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.election.Leadership;
import io.belfry.core.election.TermCommits;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.Term;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Limits;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class TermCommitterTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  private final ManualTime time = new ManualTime(NOW);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final List<Guard> refused = new ArrayList<>();
  private final List<String> term = new ArrayList<>();

  private void send(UnaryOperator<Commit.Builder> add) {
    try (var store = new MemoryStore(time, Runnable::run)) {
      var done = (Outcome.Done) store
          .commit(Commit.when().put(Keys.FENCE, new byte[0]).build())
          .toCompletableFuture()
          .join();
      var leadership = new Leadership(new Term(1, "n~1", NOW, "", 0), done.revision());
      var committer = new TermCommitter(
          new TermLoop(loop, () -> true, () -> {}), store, leadership, new TermCommits() {
            @Override
            public boolean leads() {
              return true;
            }

            @Override
            public void answered() {
              term.add("answered");
            }

            @Override
            public void deposed() {
              term.add("deposed");
            }
          });
      committer.send(add.apply(committer.commit()), revision -> term.add("done"), refused::add);
      loop.run(Duration.ofSeconds(1));
      assertThat(refused).as("not at once, which would be a hot loop").isEmpty();
      loop.run(Duration.ofSeconds(5));
    }
  }

  @Test
  void a_commit_that_writes_one_key_twice_holds_up_its_maker_alone() {
    send(commit -> commit.delete(Keys.dedup("x")).delete(Keys.dedup("x")));
    assertThat(refused).hasSize(1);
    assertThat(term).isEmpty();
  }

  @Test
  void a_commit_that_is_too_large_holds_up_its_maker_alone() {
    send(commit -> {
      for (int i = 0; i <= Limits.WRITES_MAX; i++) {
        commit.delete(Keys.dedup("x" + i));
      }
      return commit;
    });
    assertThat(refused).hasSize(1);
  }

  @Test
  void one_that_is_well_made_is_sent() {
    send(commit -> commit.delete(Keys.dedup("x")));
    assertThat(refused).isEmpty();
    assertThat(term).containsExactly("answered", "done");
  }
}
