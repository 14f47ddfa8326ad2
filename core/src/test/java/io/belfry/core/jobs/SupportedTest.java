package io.belfry.core.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Expect;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Notifications;
import io.belfry.model.job.Shards;
import io.belfry.store.Commit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SupportedTest extends JobsDoor {
  private static final Expect SOON =
      new Expect(Optional.empty(), Optional.empty(), Optional.of(Duration.ofHours(1)));
  private static final Notifications MAIL = new Notifications(
      Set.of(Notifications.Occasion.FAILED),
      List.of(new Notifications.Target(Notifications.Target.Channel.MAIL, "ops@example.com")));

  private static JobBuilder job() {
    return Job.named("j").local("noop");
  }

  private void assertRefused(JobBuilder job, String field) {
    assertThatThrownBy(() -> await(jobs.put(job.build())))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining(field + " must be left out")
        .hasMessageContaining("Remove " + field);
    assertThatThrownBy(() -> await(jobs.preview(job.build())))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining(field + " must be left out");
    assertThat(await(jobs.get(new JobId("j")))).isEmpty();
  }

  @Test
  void what_would_not_happen_is_refused_when_a_job_is_saved() {
    assertRefused(job().shards(new Shards.Fixed(2)), "shards");
    assertRefused(job().shards(new Shards.PerWorker()), "shards");
    assertRefused(job().expect(SOON), "expect");
    assertRefused(job().notifications(MAIL), "notify");
    assertThat(await(jobs.put(job().shards(new Shards.Fixed(1)).build())).generation())
        .isEqualTo(1);
  }

  @Test
  void one_that_was_saved_before_can_be_switched_off_and_deleted() {
    Job old =
        job().shards(new Shards.Fixed(2)).saved(JobVersion.first(Instant.EPOCH)).build();
    var cursor = new io.belfry.core.record.Cursor(
        1, false, Optional.empty(), Optional.empty(), Optional.empty());
    await(store.commit(Commit.when()
        .put(Keys.job(old.id()), Records.encode(old))
        .put(Keys.cursor(old.id()), Records.encode(cursor))
        .build()));
    assertThat(await(jobs.enable(old.id(), false)).orElseThrow().enabled()).isFalse();
    assertThat(await(jobs.delete(old.id()))).isTrue();
  }

  @Test
  void an_executor_that_nobody_has_is_refused_with_those_there_are() {
    var knowing = new Jobs(loop, store, new Supported(Optional.of(Set.of("fax"))));
    Job typo = Job.named("j").executor(new ExecutorSpec("htpp", Map.of())).build();
    assertThatThrownBy(() -> await(knowing.put(typo)))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("executor.type must be one of fax, http, local, script")
        .hasMessageContaining("\"htpp\"");
    for (String type : List.of("fax", "http", "local", "script")) {
      Job job = Job.named(type).executor(new ExecutorSpec(type, Map.of())).build();
      assertThat(await(knowing.put(job)).generation()).isEqualTo(1);
    }
    // Where it is not known who carries out tasks, any may be right.
    assertThat(await(jobs.put(typo)).generation()).isEqualTo(1);
  }
}
