package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.TriggerOptions;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.DedupRecord;
import io.belfry.core.record.Fullness;
import io.belfry.core.record.Records;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The limit of idempotency keys is exceeded only slightly; calls without keys are not affected. */
class DedupKeysTest {
  private static final Duration WINDOW = Duration.ofDays(7);
  private static final Duration A_LOOK = Duration.ofSeconds(11);
  private static final Duration A_ROUND = DedupKeys.ROUND.plusSeconds(11);
  private static final JobId JOB = new JobId("nightly");

  private final Kept kept = new Kept();
  private final Submitter submitter = new Submitter(kept.loop, kept.store, "n~1", WINDOW, 100);
  private final Requests requests = new Requests(kept.loop, kept.store, WINDOW);
  private int tasks;

  /** Keys of earlier submissions. */
  private void keys(int from, int to, Instant until) {
    for (int i = from; i < to; i++) {
      TaskId id = TaskId.parse("t" + i);
      String once = "key:k" + i;
      kept.put(Keys.dedup(once), Records.encode(DedupRecord.of(kept.pending(id))));
      kept.put(Keys.dedupExpiry(until.toEpochMilli(), once), new byte[0]);
    }
  }

  private Optional<Fullness> told() {
    return kept.get(Keys.KEYS_FULL).map(entry -> Records.fullness(entry.value()));
  }

  private CompletableFuture<Receipt> submit(Optional<String> key) {
    Task task = kept.pending(TaskId.parse("s" + tasks++));
    return run(submitter.submit(Submission.of(key.map(task::withKey).orElse(task))));
  }

  private <T> CompletableFuture<T> run(CompletionStage<T> stage) {
    kept.loop.run(Duration.ofMillis(100));
    return stage.toCompletableFuture();
  }

  private CompletableFuture<?> trigger(Optional<Instant> at) {
    var options = new TriggerOptions(Optional.empty(), at, Optional.empty());
    return run(requests.trigger(JOB, options, "me"));
  }

  private void assertRefused(CompletableFuture<?> call) {
    assertThat(call.exceptionNow())
        .isInstanceOf(StoreException.Overloaded.class)
        .hasMessageContaining("idempotency keys")
        .hasMessageContaining("task.idempotencyKeysMax");
  }

  /** What this node knows about the namespace's limits. */
  private void listens() {
    submit(Optional.empty()).join();
    trigger(Optional.empty()).join();
  }

  private void saveJob() {
    run(new Jobs(kept.loop, kept.store)
            .put(Job.named(JOB.value()).every(Duration.ofHours(1)).local("noop").build()))
        .join();
  }

  @Test
  void at_the_bound_calls_with_a_key_are_refused_and_all_others_go_on() {
    saveJob();
    keys(0, 50, Kept.START.plus(WINDOW));
    kept.lead(Kept.SETTINGS.withKeysMax(50));
    listens();
    kept.loop.run(A_LOOK);
    assertThat(told()).hasValueSatisfying(full -> {
      assertThat(full.full()).isTrue();
      assertThat(full.limit()).isEqualTo(50);
    });
    assertThat(kept.counts.dedupKeys()).isBetween(50L, 52L);

    assertRefused(submit(Optional.of("fresh")));
    assertRefused(trigger(Optional.of(Kept.START.plusSeconds(7200))));
    assertThat(submit(Optional.empty()).join()).isInstanceOf(Receipt.Accepted.class);
    assertThat(trigger(Optional.empty())).isCompleted();
    assertThat(submitter.room().keysRefused()).isEqualTo(1);
  }

  @Test
  void at_the_bound_a_repetition_is_still_recognised() {
    saveJob();
    Instant at = Kept.START.plusSeconds(7200);
    assertThat(trigger(Optional.of(at))).isCompleted();
    Task task = kept.pending(TaskId.parse("one"));
    run(submitter.submit(Submission.of(task.withKey("mine")))).join();
    listens();
    kept.lead(Kept.SETTINGS.withKeysMax(3));
    kept.loop.run(A_LOOK);
    assertRefused(submit(Optional.of("other")));
    assertThat(
            run(submitter.submit(Submission.of(kept.pending(TaskId.parse("two")).withKey("mine"))))
                .join())
        .isEqualTo(new Receipt.Repeated(task.id()));
    assertThat(trigger(Optional.of(at))).isCompleted();
  }

  @Test
  void a_tenth_beyond_the_bound_triggers_by_hand_are_refused_as_well() {
    saveJob();
    listens();
    keys(0, 60, Kept.START.plus(WINDOW));
    kept.lead(Kept.SETTINGS.withKeysMax(50));
    kept.loop.run(A_LOOK);
    assertRefused(trigger(Optional.empty()));
    assertThat(submit(Optional.empty()).join()).isInstanceOf(Receipt.Accepted.class);
  }

  @Test
  void there_is_room_again_once_a_tenth_of_them_has_expired() {
    keys(0, 4, Kept.START.plus(Duration.ofHours(1)));
    keys(4, 10, Kept.START.plus(WINDOW));
    kept.lead(Kept.SETTINGS.withKeysMax(10));
    kept.loop.run(A_LOOK);
    assertThat(told().orElseThrow().full()).isTrue();
    kept.loop.run(Duration.ofHours(3));
    assertThat(told().orElseThrow().full()).isFalse();
    assertThat(kept.counts.dedupKeys()).isEqualTo(6);
  }

  @Test
  void a_new_leader_leaves_what_the_last_one_wrote_until_it_has_counted_itself() {
    keys(0, 10, Kept.START.plus(WINDOW));
    kept.lead(Kept.SETTINGS.withKeysMax(10));
    kept.loop.run(A_LOOK);
    kept.store.failing = Integer.MAX_VALUE;
    kept.lead(Kept.SETTINGS.withKeysMax(10));
    kept.loop.run(A_ROUND);
    assertThat(told().orElseThrow().full()).isTrue();
    kept.store.failing = 0;
    kept.lead(Kept.SETTINGS.withKeysMax(1000));
    kept.loop.run(A_LOOK);
    assertThat(told().orElseThrow().full()).isFalse();
  }

  @Test
  void a_trigger_by_hand_leaves_its_record_for_an_hour_and_not_for_the_window() {
    saveJob();
    for (int i = 0; i < 20; i++) {
      trigger(Optional.empty()).join();
    }
    trigger(Optional.of(Kept.START.plusSeconds(7200))).join();
    assertThat(kept.all(Keys.DEDUP_EXPIRY)).hasSize(21);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofHours(3));
    assertThat(kept.all(Keys.DEDUP_EXPIRY)).hasSize(1);
    assertThat(kept.counts.dedupKeys()).isEqualTo(1);
  }
}
