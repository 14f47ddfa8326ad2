package io.belfry.core.leader.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.worker.StepCrew;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A job that goes on some time after its task has ended. */
class FixedDelaysTest {
  private static final JobId REST = new JobId("rest");

  /** What the leader sees while the definition of the job is not there. */
  private static final class WithoutJob extends DelegatingStore {
    boolean gone;

    WithoutJob(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Entry>> get(Collection<Key> keys) {
      return gone && keys.contains(Keys.job(REST))
          ? CompletableFuture.completedStage(List.of())
          : store.get(keys);
    }
  }

  @Test
  void goes_on_at_once_when_its_definition_is_there_again() {
    var leaders = new ArrayList<WithoutJob>();
    var crew = new StepCrew(store -> {
      leaders.add(new WithoutJob(store));
      return leaders.getFirst();
    });
    crew.deaf(5);
    crew.loop.run(Duration.ofSeconds(10));
    var jobs = new Jobs(crew.loop, crew.memory);
    Job rest = Job.named(REST.value())
        .local("noop")
        .trigger(new Trigger.Every(Duration.ofSeconds(1), Trigger.Every.From.END, Window.ALWAYS))
        .build();
    var unused = jobs.put(rest);
    crew.loop.run(Duration.ofMillis(1100));
    assertThat(crew.launched).hasSize(1);

    leaders.getFirst().gone = true;
    crew.launched.getFirst().succeed();
    crew.loop.run(Duration.ofSeconds(2));
    assertThat(crew.launched).hasSize(1);

    leaders.getFirst().gone = false;
    unused = jobs.put(rest);
    crew.loop.run(Duration.ofMillis(1500));
    assertThat(crew.launched).hasSize(2);
  }
}
