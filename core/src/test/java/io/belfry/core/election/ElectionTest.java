package io.belfry.core.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.loop.StepLoop;
import io.belfry.store.DelegatingStore;
import io.belfry.store.MemoryStore;
import io.belfry.store.Store;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ElectionTest {
  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final MemoryStore memory = new MemoryStore(time, Runnable::run);
  private final Slow store = new Slow(memory);
  private Duration unready = Duration.ZERO;
  private Duration reserve = Duration.ZERO;
  private int wins;

  /** Renews at once, and may answer later. */
  private static final class Slow extends DelegatingStore {
    final Deque<Runnable> answers = new ArrayDeque<>();
    boolean slow;

    Slow(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Boolean> renew(long lease) {
      var answer = new CompletableFuture<Boolean>();
      CompletionStage<Boolean> renewed = store.renew(lease);
      Runnable tell = () -> renewed.thenAccept(answer::complete);
      if (slow) {
        answers.add(tell);
      } else {
        tell.run();
      }
      return answer;
    }
  }

  private final Election election =
      new Election(loop, store, store, "n~1", ElectionSettings.DEFAULT, new ElectionListener() {
        @Override
        public void won(Leadership leadership) {
          wins++;
        }

        @Override
        public void lost(String why) {}

        @Override
        public Duration unready() {
          return unready;
        }

        @Override
        public Duration reserve() {
          return reserve;
        }
      });

  @AfterEach
  void close() {
    memory.close();
  }

  private void run(double seconds) {
    loop.run(Duration.ofMillis((long) (1000 * seconds)));
  }

  @Test
  void an_older_renewal_that_is_answered_late_takes_no_trust_away() {
    election.start();
    run(1.5);
    assertThat(election.leads()).isTrue();
    store.slow = true;
    run(2);
    assertThat(store.answers).hasSize(2);
    store.answers.removeLast().run();
    store.answers.removeLast().run();
    run(0.01);
    Duration trust = ElectionSettings.DEFAULT.lease().minus(ElectionSettings.DEFAULT.margin());
    run(trust.toMillis() / 1000.0 - 0.7);
    assertThat(election.leads()).isTrue();
    assertThat(wins).isEqualTo(1);
  }

  @Test
  void whoever_did_not_know_enough_lets_others_go_first_all_the_same() {
    unready = Duration.ofSeconds(2);
    reserve = Duration.ofSeconds(5);
    election.start();
    run(1.9);
    unready = Duration.ZERO;
    run(4);
    assertThat(election.leads()).isFalse();
    run(4);
    assertThat(election.leads()).isTrue();
  }
}
