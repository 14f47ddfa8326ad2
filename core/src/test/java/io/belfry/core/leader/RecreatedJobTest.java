package io.belfry.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.StaleException;
import io.belfry.core.jobs.TriggerOptions;
import io.belfry.core.jobs.Triggered;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A job that is created again under the id of a deleted one is another job. */
class RecreatedJobTest {
  private static final JobId REPORT = new JobId("report");
  private static final Duration A_WHILE = Duration.ofSeconds(10);

  private final StepCrew crew = new StepCrew();
  private final Jobs jobs = new Jobs(crew.loop, crew.memory);
  private final Requests requests = new Requests(crew.loop, crew.memory, Duration.ofDays(7));

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

  private static Job everyTenSeconds(String handler) {
    return Job.named("report")
        .local(handler)
        .cron("*/10 * * * * *", ZoneOffset.UTC)
        .overlap(OverlapPolicy.ALLOW)
        .build();
  }

  private List<TaskId> launchedOf(Instant at) {
    return crew.launched.stream()
        .map(code -> code.task.id())
        .filter(TaskId.fire(REPORT, at)::equals)
        .toList();
  }

  /** Somebody asks for an instant of the job, long before it comes; then the job is deleted and created again. */
  private Instant askAndCreateAgain(boolean ends) {
    crew.worker(crew.memory, WorkerSettings.of("w", 10), true);
    crew.loop.run(A_WHILE);
    await(jobs.put(everyTenSeconds("old")));
    Instant at = await(jobs.preview(everyTenSeconds("old"))).coming(3).getLast();
    await(requests.triggerOnce(REPORT, at, Optional.empty(), "me"));
    crew.loop.run(Duration.ofSeconds(1));
    assertThat(launchedOf(at)).hasSize(1);
    if (ends) {
      crew.launched.getLast().succeed();
    }
    assertThat(await(jobs.delete(REPORT))).isTrue();
    await(jobs.put(everyTenSeconds("new")));
    return at;
  }

  @Test
  void what_was_asked_of_the_deleted_one_does_not_swallow_its_fire() {
    Instant at = askAndCreateAgain(true);
    crew.loop.run(Duration.ofSeconds(30));
    assertThat(launchedOf(at)).hasSize(2);
    assertThat(lastHandler()).isEqualTo("new");
  }

  @Test
  void while_the_task_of_the_deleted_one_runs_its_own_instant_is_skipped_and_recorded() {
    Instant at = askAndCreateAgain(false);
    crew.loop.run(Duration.ofSeconds(40));
    assertThat(launchedOf(at)).hasSize(1);
    assertThat(await(crew.memory.scan(Scan.all(Keys.SKIPS))).entries())
        .singleElement()
        .satisfies(skip -> assertThat(Records.skippedRange(skip.value()))
            .isEqualTo(new SkippedRange(at, at, 1, true, SkipReason.ID_TAKEN)));
    assertThat(launchedOf(at.plusSeconds(10))).hasSize(1);
  }

  @Test
  void its_own_instant_is_asked_for_once() {
    Instant at = askAndCreateAgain(true);
    assertThat(await(requests.trigger(REPORT, TriggerOptions.NONE.at(at), "me")).repeated())
        .isFalse();
    assertThat(await(requests.trigger(REPORT, TriggerOptions.NONE.at(at), "me")).repeated())
        .isTrue();
    crew.loop.run(Duration.ofSeconds(30));
    assertThat(launchedOf(at)).hasSize(2);
  }

  @Test
  void whoever_asks_while_the_task_of_the_deleted_one_runs_gets_that() {
    Instant at = askAndCreateAgain(false);
    assertThat(await(requests.trigger(REPORT, TriggerOptions.NONE.at(at), "me")))
        .isEqualTo(new Triggered(TaskId.fire(REPORT, at), true));
    crew.launched.getLast().succeed();
    crew.loop.run(Duration.ofSeconds(30));
    assertThat(launchedOf(at)).hasSize(2);
  }
}
