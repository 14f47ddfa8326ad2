package io.belfry.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.EventBatch;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.Records;
import io.belfry.core.record.Term;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.Write;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class PublisherTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  private final List<EventBatch> told = new ArrayList<>();

  private final class Recording extends DelegatingStore {
    Recording(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      if (commit.writes().getFirst() instanceof Write.Put put
          && put.key().equals(Keys.EVENT_BATCH)) {
        told.add(Records.eventBatch(put.value()));
      }
      return store.commit(commit);
    }
  }

  @Test
  void a_thousand_events_of_tasks_with_large_metadata_are_told_without_a_gap() {
    var random = new SplittableRandom(1);
    var time = new ManualTime(NOW);
    var loop = new StepLoop(time, random);
    try (var memory = new MemoryStore(time, Runnable::run)) {
      var store = new Recording(memory);
      byte[] term = Records.encode(new Term(1, "node~1", NOW, "", 0));
      long fence = ((Outcome.Done) store
              .commit(Commit.when().put(Keys.FENCE, term).build())
              .toCompletableFuture()
              .join())
          .revision();
      var publisher = new Publisher(
          loop,
          store,
          "node~1",
          1,
          fence,
          () -> true,
          Observer.NOBODY,
          () -> Set.of(EventKind.TASK_SUBMITTED));
      Work work = Work.of("t", new ExecutorSpec("http", Map.of("body", "鐘".repeat(2000))));
      for (int i = 0; i < 1000; i++) {
        publisher.observed(new Happening.TaskSubmitted(
            Task.pending(TaskId.oneOff(NOW, random), work, Priority.NORMAL, NOW, NOW)));
      }
      loop.run(Duration.ofSeconds(60));
    }
    long next = 0;
    for (EventBatch batch : told) {
      assertThat(batch.first()).isEqualTo(next);
      next += batch.events().size();
    }
    assertThat(next).isEqualTo(1000);
  }
}
