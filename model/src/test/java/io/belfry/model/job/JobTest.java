package io.belfry.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobTest {
  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  private static final Instant NEW_YEAR = Instant.parse("2027-01-01T00:00:00Z");

  @Nested
  class What_is_not_said {
    private final Job job = Job.named("nightly")
        .cron("0 30 2 * * *", SHANGHAI)
        .local("send-invoice", Payload.json("{}"))
        .build();

    @Test
    void has_the_documented_default_in_the_work() {
      Work work = job.work();
      assertThat(work.timeout()).isEqualTo(Duration.ofMinutes(5));
      assertThat(work.retry()).isEqualTo(RetryPolicy.DEFAULT);
      assertThat(work.atMostOnce()).isFalse();
      assertThat(work.queue()).isEqualTo("default");
      assertThat(work.limit()).isEqualTo(Limit.NONE);
      assertThat(work.workers()).isEmpty();
      assertThat(work.metadata()).isEmpty();
    }

    @Test
    void has_the_documented_default_in_the_policies() {
      assertThat(job.missed()).isEqualTo(MissedPolicy.DEFAULT);
      assertThat(job.overlap()).isEqualTo(OverlapPolicy.SKIP);
      assertThat(job.priority()).isEqualTo(Priority.NORMAL);
      assertThat(job.shards()).isEqualTo(new Shards.Fixed(1));
      assertThat(job.expect()).isEqualTo(Expect.NOTHING);
      assertThat(job.notifications()).isEqualTo(Notifications.NONE);
      assertThat(job.retain()).isEqualTo(Duration.ofDays(7));
      assertThat(job.retainLast()).isEmpty();
      assertThat(job.enabled()).isTrue();
      assertThat(job.generation()).isZero();
    }

    @Test
    void has_the_documented_default_in_the_trigger() {
      assertThat(job.trigger())
          .isEqualTo(new Trigger.Cron(
              "0 30 2 * * *", SHANGHAI, DstRule.DEFAULT, Dialect.BELFRY, Window.ALWAYS));
      assertThat(Job.named("j").local("h").build().trigger()).isEqualTo(new Trigger.Manual());
      assertThat(Trigger.every(Duration.ofSeconds(30)).from()).isEqualTo(Trigger.Every.From.START);
    }

    @Test
    void takes_the_name_from_the_id() {
      assertThat(job.name()).isEqualTo("nightly");
    }
  }

  @Test
  void everything_said_is_kept_and_can_be_edited_again() {
    Job job = full();
    assertThat(job.edit().build()).isEqualTo(job);
    assertThat(job.edit().enabled(true).build()).isNotEqualTo(job);
    assertThat(job.work().executor())
        .isEqualTo(ExecutorSpec.http("POST", "https://billing.local/run"));
    assertThat(job.work().metadata()).containsEntry("team", "billing");
    assertThat(job.notifications().to())
        .extracting(Object::toString)
        .containsExactly("webhook:ops", "mail:ops@example.org");
    assertThat(job.enabled()).isFalse();
  }

  private static Job full() {
    return Job.named("nightly-invoices")
        .name("Nightly invoices")
        .description("one invoice run per night")
        .trigger(new Trigger.Cron(
            "0 30 2 * * *",
            SHANGHAI,
            DstRule.DEFAULT,
            Dialect.QUARTZ,
            Window.ALWAYS.from(NEW_YEAR).on("working-days").spread(Duration.ofSeconds(30))))
        .http("POST", "https://billing.local/run")
        .payload(Payload.json("{\"region\":\"eu\"}"))
        .timeout(Duration.ofMinutes(7))
        .retry(RetryPolicy.DEFAULT.withMax(5))
        .missed(new MissedPolicy(MissedPolicy.Policy.ALL, Duration.ofHours(2), 10))
        .overlap(OverlapPolicy.QUEUE)
        .priority(Priority.HIGH)
        .queue("billing")
        .workers(Map.of("region", "eu"))
        .limit(new Limit(
            Optional.of(5), Optional.of(Rate.parse("100/min")), Optional.of("${payload.customer}")))
        .shards(new Shards.PerWorker())
        .expect(new Expect(
            Optional.of(LocalTime.of(6, 0)),
            Optional.of(Duration.ofMinutes(1)),
            Optional.of(Duration.ofMinutes(30))))
        .notifications(new Notifications(
            Set.of(Notifications.Occasion.FAILED, Notifications.Occasion.LATE),
            List.of(
                Notifications.Target.parse("webhook:ops"),
                Notifications.Target.parse("mail:ops@example.org"))))
        .retain(Duration.ofDays(30))
        .retainLast(100)
        .enabled(false)
        .metadata(Map.of("team", "billing"))
        .saved(JobVersion.first(NEW_YEAR))
        .build();
  }

  @Nested
  class An_id {
    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "nightly-invoices", "a.b_c-d", "9lives"})
    void is_a_short_plain_name(String id) {
      assertThat(new JobId(id)).hasToString(id);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"", "A", "-a", ".a", "_a", "a b", "a@b", "a!b", "a/b", "ä", "a\n", "Nightly"})
    void is_refused_otherwise(String id) {
      assertThatThrownBy(() -> new JobId(id))
          .isInstanceOf(InvalidException.class)
          .hasMessage(
              "id must be 1 to 128 characters of a-z, 0-9, '.', '_' and '-', beginning with a letter or digit,"
                  + " because it becomes part of keys and addresses, but was \"" + id
                  + "\". Write id in lower case, with '-' between words.");
    }

    @Test
    void has_at_most_128_characters() {
      assertThat(new JobId("a".repeat(128)).value()).hasSize(128);
      assertThatThrownBy(() -> new JobId("a".repeat(129))).isInstanceOf(InvalidException.class);
    }
  }

  @Nested
  class At_most_once {
    @Test
    void means_no_retry_unless_one_is_asked_for() {
      Job job = Job.named("j").local("h").atMostOnce(true).build();
      assertThat(job.work().retry()).isEqualTo(RetryPolicy.NONE);
    }

    @Test
    void does_not_go_with_retries() {
      JobBuilder builder = Job.named("j").local("h").atMostOnce(true).retry(RetryPolicy.DEFAULT);
      assertThatThrownBy(builder::build)
          .hasMessage(
              "retry.max must be 0 with atMostOnce, because a retry starts the code a second time, but was 3."
                  + " Remove retry, or set atMostOnce to false.");
    }

    @Test
    void of_a_single_task_ends_its_retries() {
      assertThat(Work.of("w", ExecutorSpec.local("h")).onlyOnce().retry().max()).isZero();
    }
  }

  @Nested
  class A_job_is_refused {
    @Test
    void without_an_executor() {
      assertThatThrownBy(() -> Job.named("j").build())
          .hasMessageStartingWith("executor must be given, because it defines what the job does");
    }

    @Test
    void that_follows_itself() {
      JobBuilder builder = Job.named("j").local("h").after("j", Trigger.After.Outcome.SUCCEEDED);
      assertThatThrownBy(builder::build)
          .hasMessageStartingWith("trigger.after must name another job");
    }

    @Test
    void with_values_out_of_bounds() {
      JobBuilder builder = Job.named("j").local("h");
      assertThatThrownBy(() -> builder.timeout(Duration.ZERO).build())
          .hasMessageStartingWith("timeout must lie between");
      builder.timeout(Duration.ofSeconds(1));
      assertThatThrownBy(() -> builder.retain(Duration.ZERO).build())
          .hasMessageStartingWith("retain.for must lie");
      builder.retain(Duration.ofDays(1));
      assertThatThrownBy(() -> builder.retainLast(0).build())
          .hasMessageStartingWith("retain.last must lie");
      builder.retainLast(1);
      assertThatThrownBy(() -> builder.queue("Main Queue").build())
          .hasMessageStartingWith("queue must be 1 to 64");
      builder.queue("main");
      assertThatThrownBy(() -> builder.name(" ").build())
          .hasMessageStartingWith("name must not be empty");
      builder.name("n");
      assertThatThrownBy(() -> builder.description("x".repeat(4001)).build())
          .hasMessageStartingWith("description must");
    }
  }

  @Test
  void a_generation_counts_what_was_saved() {
    JobVersion first = JobVersion.first(NEW_YEAR);
    JobVersion second = first.again(NEW_YEAR.plusSeconds(9));
    assertThat(second).isEqualTo(new JobVersion(2, NEW_YEAR, NEW_YEAR.plusSeconds(9)));
    assertThat(full().edit().saved(second).build().generation()).isEqualTo(2);
    assertThatThrownBy(() -> new JobVersion(0, NEW_YEAR, NEW_YEAR))
        .hasMessageStartingWith("generation must be at least 1");
  }
}
