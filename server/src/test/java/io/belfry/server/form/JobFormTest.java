package io.belfry.server.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.Limit;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.WorkDefaults;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Conversion of jobs to JSON and back. */
class JobFormTest {
  private static final YAMLMapper YAML = YAMLMapper.builder().build();
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String WHOLE = """
      id: nightly-invoices
      name: Nightly invoices
      description: one invoice run per night
      trigger: { cron: "0 30 2 * * *", zone: Asia/Shanghai, dst: { gap: skip, repeat: both }, calendar: working-days, jitter: 30s, start: 2027-01-01, end: 2028-01-01T00:00:00Z, dialect: quartz }
      payload: { region: eu, list: [1, 2.5, null, true] }
      executor: { type: http, method: POST, url: "https://billing.local/run", body: { day: "${scheduled.date}" } }
      timeout: 5m
      retry: { max: 5, delay: 10s, backoff: 3.0, cap: 10m, jitter: false, on: [timeout, lost] }
      missed: { policy: all, maxAge: 2h, maxCount: 7 }
      overlap: queue
      priority: high
      queue: billing
      workers: { region: eu }
      limit: { concurrency: 5, rate: 100/min, key: "${payload.customer}" }
      shards: 4
      expect: { finishedBy: "06:00", maxLateness: 1m, maxDuration: 30m }
      notify: { on: [failed, missed, late], to: [webhook:ops, "mail:ops@example.org"] }
      retain: { for: 3d, last: 50 }
      enabled: false
      metadata: { team: billing }
      """;

  private static JsonNode yaml(String text) {
    return YAML.readTree(text);
  }

  @Test
  void everything_that_can_be_said_is_understood() {
    Job job = JobForm.read(yaml(WHOLE), Optional.empty(), WorkDefaults.USUAL);
    assertThat(job.id().value()).isEqualTo("nightly-invoices");
    assertThat(job.trigger()).isInstanceOfSatisfying(Trigger.Cron.class, cron -> {
      assertThat(cron.zone()).isEqualTo(ZoneId.of("Asia/Shanghai"));
      assertThat(cron.window().start()).contains(Instant.parse("2026-12-31T16:00:00Z"));
      assertThat(cron.window().jitter()).isEqualTo(Duration.ofSeconds(30));
    });
    assertThat(job.work().payload().text())
        .isEqualTo("{\"region\":\"eu\",\"list\":[1,2.5,null,true]}");
    assertThat(job.work().executor().settings()).containsEntry("method", "POST");
    assertThat(job.missed())
        .isEqualTo(new MissedPolicy(MissedPolicy.Policy.ALL, Duration.ofHours(2), 7));
    assertThat(job.overlap()).isEqualTo(OverlapPolicy.QUEUE);
    assertThat(job.priority()).isEqualTo(Priority.HIGH);
    assertThat(job.work().limit().key()).contains("${payload.customer}");
    assertThat(job.retainLast()).contains(50);
    assertThat(job.enabled()).isFalse();
    assertThat(job.work().metadata()).isEqualTo(Map.of("team", "billing"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        WHOLE,
        "{id: a, executor: {type: local, handler: h}}",
        "{id: a, executor: {type: local}, trigger: none}",
        "{id: a, executor: {type: local}, trigger: {every: 1h30m, from: end}}",
        "{id: a, executor: {type: local}, trigger: {at: '2027-01-01T00:00:00Z'}}",
        "{id: a, executor: {type: local}, trigger: {after: b, on: finished}}",
        "{id: a, executor: {type: local}, atMostOnce: true, shards: workers}",
        "{id: a, executor: {type: local}, payload: text}"
      })
  void what_is_answered_can_be_sent_back(String text) {
    Job job = JobForm.read(yaml(text), Optional.empty(), WorkDefaults.USUAL);
    JsonNode answered = JSON.readTree(JobForm.write(job).toString());
    assertThat(JobForm.read(answered, Optional.of("" + job.id()), WorkDefaults.USUAL))
        .isEqualTo(job);
  }

  @Test
  void what_is_not_said_has_its_default() {
    Job job = JobForm.read(
        yaml("{id: a, executor: {type: local}}"), Optional.empty(), WorkDefaults.USUAL);
    assertThat(job).isEqualTo(Job.named("a").executor(job.work().executor()).build());
    assertThat(job.work().limit()).isEqualTo(Limit.NONE);
  }

  @Test
  void the_node_may_have_other_defaults_which_a_job_takes_over_as_far_as_it_does_not_say() {
    var own = new WorkDefaults(Duration.ofMinutes(1), RetryPolicy.DEFAULT.withMax(7));
    Job silent = JobForm.read(yaml("{id: a, executor: {type: local}}"), Optional.empty(), own);
    assertThat(silent.work().timeout()).isEqualTo(own.timeout());
    assertThat(silent.work().retry()).isEqualTo(own.retry());
    String text = "{id: a, executor: {type: local}, timeout: 2m, retry: {delay: 1s}}";
    Job says = JobForm.read(yaml(text), Optional.empty(), own);
    assertThat(says.work().timeout()).isEqualTo(Duration.ofMinutes(2));
    assertThat(says.work().retry()).isEqualTo(own.retry().withDelay(Duration.ofSeconds(1)));
    String once = "{id: a, executor: {type: local}, atMostOnce: true}";
    assertThat(JobForm.read(yaml(once), Optional.empty(), own).work().retry())
        .isEqualTo(RetryPolicy.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{executor: {type: local}}                                          | id",
        "{id: a}                                                            | executor",
        "{id: a, executor: local}                                           | executor",
        "{id: a, executor: {handler: h}}                                    | executor.type",
        "{id: a, executor: {type: 5}}                                       | executor.type",
        "{id: A b, executor: {type: local}}                                 | id",
        "{id: a, executor: {type: local}, nmae: x}                          | nmae",
        "{id: a, executor: {type: local}, name: 5}                          | name",
        "{id: a, executor: {type: local}, trigger: {cron: '* *'}}           | trigger.cron",
        "{id: a, executor: {type: local}, trigger: {}}                      | trigger",
        "{id: a, executor: {type: local}, trigger: {every: 1s, cron: '@daily'}} | trigger",
        "{id: a, executor: {type: local}, trigger: {every: 30}}             | trigger.every",
        "{id: a, executor: {type: local}, trigger: {every: soon}}           | trigger.every",
        "{id: a, executor: {type: local}, trigger: {every: 1s, zone: UTC}}  | trigger.zone",
        "{id: a, executor: {type: local}, trigger: {cron: '@daily', zone: Mars}} | trigger.zone",
        "{id: a, executor: {type: local}, trigger: {at: tomorrow}}          | trigger.at",
        "{id: a, executor: {type: local}, trigger: {after: b, on: never}}   | trigger.on",
        "{id: a, executor: {type: local}, trigger: sometimes}               | trigger",
        "{id: a, executor: {type: local}, retry: {max: 5000}}               | retry.max",
        "{id: a, executor: {type: local}, retry: {max: '5'}}                | retry.max",
        "{id: a, executor: {type: local}, retry: {on: [rejected]}}          | retry.on",
        "{id: a, executor: {type: local}, retry: {tries: 5}}                | retry.tries",
        "{id: a, executor: {type: local}, limit: {rate: fast}}              | limit.rate",
        "{id: a, executor: {type: local}, limit: {concurrency: 1.5}}        | limit.concurrency",
        "{id: a, executor: {type: local}, workers: {region: 5}}             | workers.region",
        "{id: a, executor: {type: local}, metadata: {belfry.x: y}}          | metadata",
        "{id: a, executor: {type: local}, notify: {on: [failed]}}           | notify.to",
        "{id: a, executor: {type: local}, expect: {finishedBy: 25h}}        | expect.finishedBy",
        "{id: a, executor: {type: local}, shards: some}                     | shards",
        "{id: a, executor: {type: local}, enabled: yes please}              | enabled",
        "{id: a, executor: {type: local}, timeout: -5s}                     | timeout",
        "{id: a, executor: {type: local}, priority: now}                    | priority",
        "[]                                                                 | body",
        "5                                                                  | body"
      })
  void what_is_wrong_is_named(String text, String field) {
    assertThatThrownBy(() -> JobForm.read(yaml(text), Optional.empty(), WorkDefaults.USUAL))
        .isInstanceOfSatisfying(
            InvalidException.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  @Test
  void another_id_than_the_one_in_the_address_is_refused() {
    JsonNode document = yaml("{id: a, executor: {type: local}}");
    assertThatThrownBy(() -> JobForm.read(document, Optional.of("b"), WorkDefaults.USUAL))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("must be the id in the URL (b)");
    assertThat(JobForm.read(yaml("{executor: {type: local}}"), Optional.of("b"), WorkDefaults.USUAL)
            .id()
            .value())
        .isEqualTo("b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "[4]", "true", "1.5", "{\"a\": 4}"})
  void shards_are_a_number_or_a_word_and_nothing_else(String shards) {
    JsonNode job = JSON.readTree(
        "{\"id\": \"a\", \"executor\": {\"type\": \"local\"}, \"shards\": " + shards + "}");
    assertThatThrownBy(() -> JobForm.read(job, Optional.empty(), WorkDefaults.USUAL))
        .isInstanceOfSatisfying(
            InvalidException.class, refusal -> assertThat(refusal.field()).isEqualTo("shards"));
  }
}
