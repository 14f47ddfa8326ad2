package io.belfry.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Rate;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the leader's loop has its turns. */
class TurnsTest {
  /** What is given out is never answered. */
  private static final class NoAnswer extends DelegatingStore {
    NoAnswer(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      boolean given =
          commit.writes().stream().anyMatch(write -> write.key().space().equals(Keys.INBOXES));
      return given ? new CompletableFuture<>() : store.commit(commit);
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void are_not_without_pause_while_too_much_is_under_way_for_what_is_due() {
    var crew = new StepCrew(NoAnswer::new);
    crew.worker(crew.memory, WorkerSettings.of("w", 10_000), true);
    crew.loop.run(Duration.ofSeconds(10));
    for (int i = 0; i < 2; i++) {
      crew.submit(StepCrew.work().withLimit(Limit.rate(Rate.parse("1/s"))));
    }
    for (int i = 0; i < 2_100; i++) {
      crew.submit(StepCrew.work());
    }
    crew.loop.run(Duration.ofSeconds(2)); // would not come back
    assertThat(crew.launched).isEmpty();
  }
}
