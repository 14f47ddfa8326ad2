package io.belfry.core.reign;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.StaleException;
import io.belfry.core.keys.Keys;
import io.belfry.core.work.StepCrew;
import io.belfry.core.work.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A job that is created again under the id of a deleted one is another job. */
class RecreatedJobTest {
  private static final JobId REPORT = new JobId("report");
  private static final Duration A_WHILE = Duration.ofSeconds(10);

  private final StepCrew crew = new StepCrew();
  private final Jobs jobs = new Jobs(crew.loop, crew.memory);

  private <T> T await(CompletionStage<T> stage) {
    crew.loop.run(Duration.ofMillis(1));
    return StepCrew.await(stage);
  }

  private void assertStale(CompletionStage<?> stage) {
    crew.loop.run(Duration.ofMillis(1));
    assertThat(stage.toCompletableFuture())
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(StaleException.class);
  }

  private static Job job(String handler) {
    return Job.named("report")
        .local(handler)
        .every(Duration.ofSeconds(5))
        .overlap(OverlapPolicy.ALLOW)
        .build();
  }

  /** What is kept of the deleted job is forgotten by the leader, as a month after the deletion. */
  private void forget(long generation) {
    long hoursAgo = crew.time.wall().minus(Duration.ofHours(3)).toEpochMilli();
    Commit.Builder commit =
        Commit.when().put(Keys.versionExpiry(hoursAgo, REPORT, generation), new byte[0]);
    for (Entry entry : await(crew.memory.scan(Scan.all(Keys.VERSION_EXPIRY))).entries()) {
      commit.delete(entry.key());
    }
    assertThat(await(crew.memory.commit(commit.build()))).isInstanceOf(Outcome.Done.class);
    crew.loop.run(Duration.ofMinutes(2));
    assertThat(await(crew.memory.get(List.of(Keys.buried(REPORT))))).isEmpty();
  }

  private String lastHandler() {
    return String.valueOf(
        crew.launched.getLast().task.work().executor().settings().get("handler"));
  }

  @Test
  void it_runs_its_own_definition_however_long_the_other_has_been_gone() {
    crew.worker(crew.memory, WorkerSettings.of("w", 10), true);
    crew.loop.run(A_WHILE);
    await(jobs.put(job("old")));
    crew.loop.run(A_WHILE);
    assertThat(lastHandler()).isEqualTo("old");

    assertThat(await(jobs.delete(REPORT))).isTrue();
    forget(1);
    int before = crew.launched.size();
    await(jobs.put(job("new")));
    crew.loop.run(A_WHILE);
    assertThat(crew.launched).hasSizeGreaterThan(before);
    assertThat(lastHandler()).isEqualTo("new");
  }

  @Test
  void a_change_of_the_deleted_one_does_not_hit_it() {
    crew.loop.run(A_WHILE);
    long read = await(jobs.put(job("old"))).generation();
    assertThat(await(jobs.delete(REPORT))).isTrue();
    forget(read);
    await(jobs.put(job("new")));
    assertStale(jobs.put(job("stale"), OptionalLong.of(read)));
    assertStale(jobs.delete(REPORT, OptionalLong.of(read)));
    assertThat(await(jobs.get(REPORT)).orElseThrow().work())
        .isEqualTo(job("new").work());
  }
}
