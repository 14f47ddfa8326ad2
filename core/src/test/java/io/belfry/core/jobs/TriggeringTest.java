package io.belfry.core.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.core.record.Request;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Scan;
import io.belfry.testkit.FaultyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TriggeringTest extends JobsDoor {
  private static final JobId REPORT = new JobId("report");
  private static final Instant AT = Instant.parse("2027-01-01T00:00:00Z");

  private final FaultyStore faulty = new FaultyStore(store);
  private final Requests requests = new Requests(loop, faulty, Duration.ofDays(7));

  @BeforeEach
  void save() {
    await(jobs.put(
        Job.named("report").local("noop").workers(Map.of("disk", "ssd")).build()));
  }

  private Triggered trigger(TriggerOptions options) {
    return await(requests.trigger(REPORT, options, "me"));
  }

  private List<Request.Trigger> asked() {
    return await(store.scan(Scan.all(Keys.REQUESTS))).entries().stream()
        .map(entry -> (Request.Trigger) Records.request(entry.value()))
        .toList();
  }

  @Test
  void without_an_instant_each_is_a_new_task() {
    Triggered first = trigger(TriggerOptions.NONE);
    Triggered second = trigger(TriggerOptions.NONE);
    assertThat(first.repeated()).isFalse();
    assertThat(second.repeated()).isFalse();
    assertThat(second.task()).isNotEqualTo(first.task());
    assertThat(asked()).hasSize(2);
  }

  @Test
  void for_an_instant_there_is_one_task_and_who_asks_again_is_told() {
    assertThat(trigger(TriggerOptions.NONE.at(AT)))
        .isEqualTo(new Triggered(TaskId.fire(REPORT, AT), false));
    assertThat(trigger(TriggerOptions.NONE.at(AT).payload(Payload.json("2"))))
        .isEqualTo(new Triggered(TaskId.fire(REPORT, AT), true));
    assertThat(asked()).singleElement().satisfies(request -> {
      assertThat(request.payload()).isEmpty();
      assertThat(request.at()).isEqualTo(AT);
    });
  }

  /** A job that reached AT a minute ago, and the records of that. */
  private JobId hourly(Commit.Builder of) {
    Instant since = AT.minusSeconds(3600);
    var window = new Window(Optional.of(since), Optional.empty(), Optional.empty(), Duration.ZERO);
    Job job = Job.named("hourly")
        .local("noop")
        .trigger(new Trigger.Every(Duration.ofHours(1), Trigger.Every.From.START, window))
        .saved(JobVersion.first(since.minusSeconds(60)))
        .build();
    var cursor = new Cursor(
        job.generation(),
        true,
        Optional.of(AT.plusSeconds(3600)),
        Optional.of(AT),
        Optional.empty());
    of.put(Keys.job(job.id()), Records.encode(job));
    of.put(Keys.cursor(job.id()), Records.encode(cursor));
    await(store.commit(of.build()));
    return job.id();
  }

  @Test
  void what_the_job_has_fired_by_itself_is_not_made_again() {
    JobId job = hourly(Commit.when());
    assertThat(await(requests.trigger(job, TriggerOptions.NONE.at(AT), "me")))
        .isEqualTo(new Triggered(TaskId.fire(job, AT), true));
    assertThat(asked()).isEmpty();
  }

  @Test
  void what_the_job_has_skipped_or_never_had_is_made_for_whoever_asks() {
    var skipped = new SkippedRange(AT, AT, 1, true, SkipReason.OVERLAP);
    JobId job =
        hourly(Commit.when().put(Keys.skip(new JobId("hourly"), AT), Records.encode(skipped)));
    for (Instant at : List.of(AT, AT.minusSeconds(5), AT.minusSeconds(7200))) {
      assertThat(await(requests.trigger(job, TriggerOptions.NONE.at(at), "me")).repeated())
          .isFalse();
    }
    assertThat(asked()).hasSize(3);
  }

  @Test
  void longer_ago_than_is_remembered_is_refused() {
    Instant longAgo = loop.time().wall().truncatedTo(ChronoUnit.SECONDS).minus(Duration.ofDays(8));
    assertThatThrownBy(() -> trigger(TriggerOptions.NONE.at(longAgo)))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("at must be at most 7d ago")
        .hasMessageContaining("without an instant");
    assertThat(asked()).isEmpty();
  }

  /** A job that was changed ten minutes ago, with its present cursor. */
  private JobId changed(Duration retain, Instant now) {
    Job job = Job.named("changed")
        .local("noop")
        .every(Duration.ofHours(1))
        .retain(retain)
        .saved(new JobVersion(2, now.minus(Duration.ofDays(2)), now.minusSeconds(600)))
        .build();
    var cursor =
        new Cursor(2, true, Optional.of(now.plusSeconds(60)), Optional.of(now), Optional.empty());
    await(store.commit(Commit.when()
        .put(Keys.job(job.id()), Records.encode(job))
        .put(Keys.cursor(job.id()), Records.encode(cursor))
        .build()));
    return job.id();
  }

  @Test
  void an_instant_that_may_have_run_and_been_forgotten_is_refused() {
    Instant now = loop.time().wall().truncatedTo(ChronoUnit.SECONDS);
    var perhaps = TriggerOptions.NONE.at(now.minus(Duration.ofHours(5)).plusSeconds(7));
    JobId job = changed(Duration.ofHours(1), now);
    assertThatThrownBy(() -> await(requests.trigger(job, perhaps, "me")))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("at must be after the last change of the job");
    assertThat(asked()).isEmpty();
    // Before it was created, and since it is as it is, the job has not had that instant.
    var before = TriggerOptions.NONE.at(now.minus(Duration.ofDays(3)));
    var since = TriggerOptions.NONE.at(now.minusSeconds(7));
    assertThat(await(requests.trigger(job, before, "me")).repeated()).isFalse();
    assertThat(await(requests.trigger(job, since, "me")).repeated()).isFalse();
  }

  @Test
  void one_of_which_history_would_know_is_made() {
    Instant now = loop.time().wall().truncatedTo(ChronoUnit.SECONDS);
    var at = TriggerOptions.NONE.at(now.minus(Duration.ofHours(5)).plusSeconds(7));
    JobId job = changed(Duration.ofDays(7), now);
    assertThat(await(requests.trigger(job, at, "me")).repeated()).isFalse();
  }

  @Test
  void what_is_to_come_is_remembered_until_it_has_come() {
    Instant far = Instant.parse("2999-01-01T00:00:00Z");
    trigger(TriggerOptions.NONE.at(far));
    assertThat(await(store.scan(Scan.all(Keys.DEDUP_EXPIRY))).entries())
        .extracting(Entry::key)
        .contains(Keys.dedupExpiry(
            far.plus(Duration.ofDays(7)).toEpochMilli(),
            TaskId.fire(REPORT, far).toString()));
  }

  @Test
  void whose_own_answer_got_lost_has_not_repeated_anything() {
    faulty.loseNextAnswer();
    assertThat(trigger(TriggerOptions.NONE.at(AT)).repeated()).isFalse();
    faulty.loseNextRequest();
    assertThat(trigger(TriggerOptions.NONE.at(AT)).repeated()).isTrue();
    faulty.loseNextAnswer();
    assertThat(trigger(TriggerOptions.NONE).repeated()).isFalse();
    assertThat(asked()).hasSize(2);
  }

  @Test
  void a_worker_is_demanded_beside_what_the_job_demands() {
    trigger(TriggerOptions.NONE.worker("w1"));
    Request.Trigger request = asked().getFirst();
    assertThat(request.worker()).contains("w1");
    assertThat(request.of(await(jobs.get(REPORT)).orElseThrow().work()).workers())
        .isEqualTo(Map.of("disk", "ssd", Request.WORKER, "w1"));
  }

  @Test
  void what_cannot_be_is_refused_and_nothing_is_written() {
    assertThatThrownBy(() -> TriggerOptions.NONE.worker("w1~5f3c"))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("configured id");
    assertThatThrownBy(() -> TriggerOptions.NONE.worker("")).isInstanceOf(InvalidException.class);
    for (Instant odd : List.of(Instant.MIN, Instant.MAX, AT.plusNanos(1))) {
      assertThatThrownBy(() -> trigger(TriggerOptions.NONE.at(odd)))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("task.at");
    }
    assertThatThrownBy(() -> await(requests.trigger(new JobId("other"), TriggerOptions.NONE, "me")))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("must be a job that exists");
    assertThat(asked()).isEmpty();
  }

  @Test
  void a_job_without_room_for_another_label_cannot_be_given_to_one_worker() {
    var labels = new HashMap<String, String>();
    for (int i = 0; i < 64; i++) {
      labels.put("label" + i, "x");
    }
    await(jobs.put(Job.named("report").local("noop").workers(labels).build()));
    assertThatThrownBy(() -> trigger(TriggerOptions.NONE.worker("w1")))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("64 entries");
    assertThat(trigger(TriggerOptions.NONE).repeated()).isFalse();
  }
}
