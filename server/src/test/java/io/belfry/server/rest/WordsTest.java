package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API says is clear, and what it is given it keeps as it is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WordsTest {
  private static final String NS = "/api/v1/namespaces/default";
  private static final String LOCAL = "\"executor\": {\"type\": \"local\", \"handler\": \"h\"}";

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path own) {
    server = new RunningServer(own.resolve("data"));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Nested
  class A_name_that_is_not_known {
    @Test
    void is_answered_with_the_nearest_one() {
      Reply reply = server.put(NS + "/jobs/a", "{" + LOCAL + ", \"prioritty\": \"high\"}");
      assertThat(reply.field()).isEqualTo("prioritty");
      assertThat(reply.body().path("message").asString())
          .isEqualTo("prioritty is not a field here. Did you mean priority?");
    }

    @Test
    void is_answered_with_all_if_none_is_near() {
      Reply reply = server.post(NS + "/tasks/t/cancel", "{\"wherefore\": \"x\"}");
      assertThat(reply.body().path("message").asString())
          .isEqualTo("wherefore is not a field here. Supported here: reason.");
    }

    @Test
    void is_a_parameter_too() {
      Reply reply = server.get(NS + "/jobs?labels=x");
      assertThat(reply.field()).isEqualTo("labels");
      assertThat(reply.body().path("message").asString())
          .isEqualTo("labels is not a parameter here. Did you mean label?");
    }
  }

  @Test
  void what_is_missing_or_of_another_kind_is_named_without_quotes() {
    assertThat(server.put(NS + "/jobs/a", "{}").body().path("message").asString())
        .contains("but was nothing. Add the field executor.");
    assertThat(server.post(NS + "/tasks", "\"x\"").body().path("message").asString())
        .contains("but was a string. Write");
    assertThat(server.put(NS + "/jobs/a", "[]").body().path("message").asString())
        .contains("but was a list. Write");
    assertThat(server.get(NS + "/jobs?limit=1&limit=2").body().path("message").asString())
        .contains("but was 2 times. Keep");
    assertThat(server.post(NS + "/tasks", "null").body().path("message").asString())
        .contains("but was null. Write");
    assertThat(server.post(NS + "/tasks", "[]").body().path("message").asString())
        .contains("must have 1 to 1000 tasks")
        .contains("but was 0 tasks");
  }

  @Test
  void a_list_that_takes_no_limit_says_what_it_takes() {
    for (String path : List.of(
        "/api/v1/namespaces",
        NS + "/tokens",
        NS + "/secrets",
        NS + "/calendars",
        NS + "/workers",
        NS + "/jobs/a/versions")) {
      Reply reply = server.get(path + "?limit=1");
      assertThat(reply.status()).as(path).isEqualTo(400);
      assertThat(reply.body().path("message").asString())
          .isEqualTo("limit is not a parameter here. Supported here: cursor.");
    }
  }

  @Test
  void a_version_is_a_number() {
    Reply reply = server.post(NS + "/jobs/a/versions/first/restore", "");
    assertThat(reply.body().path("message").asString())
        .startsWith("generation must be the number of a version, but was \"first\".");
  }

  @Test
  void a_token_is_named_in_one_line() {
    Reply reply = server.post(NS + "/tokens", "{\"name\": \"a\\nb\", \"role\": \"viewer\"}");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.field()).isEqualTo("name");
  }

  @Test
  void a_setting_of_an_executor_that_is_not_known_is_answered_with_the_nearest_one() {
    Reply reply = server.put(
        NS + "/jobs/a",
        "{\"executor\": {\"type\": \"http\", \"url\": \"http://x\", \"hedders\": {}}}");
    assertThat(reply.body().path("message").asString())
        .isEqualTo("executor.hedders is not a known setting. Did you mean headers?");
  }

  @Nested
  class A_number {
    private String kept(String number) {
      String payload = "{\"n\": " + number + "}";
      Reply made = server.post(
          NS + "/tasks", "{" + LOCAL + ", \"in\": \"1h\", \"payload\": " + payload + "}");
      assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
      Reply shown = server.get(NS + "/tasks/" + made.body().path("id").asString());
      assertThat(shown.status()).isEqualTo(200);
      assertThat(server.get(NS + "/tasks").status()).isEqualTo(200);
      return raw(NS + "/tasks/" + made.body().path("id").asString());
    }

    private String raw(String path) {
      try (var in = server.open("GET", path, "", server.admin()).body()) {
        return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    @ParameterizedTest
    @CsvSource({
      "1.50, 1.50",
      "1e999, 1E+999",
      "-1e-999, -1E-999",
      "0.10000000000000000000000000001, 0.10000000000000000000000000001",
      "123456789012345678901234567890, 123456789012345678901234567890"
    })
    void of_a_payload_stays_what_it_is(String number, String shown) {
      assertThat(kept(number)).contains("\"payload\":{\"n\":" + shown + "}");
    }

    @Test
    void that_is_longer_than_numbers_are_is_refused() {
      for (String number : List.of("9".repeat(101), "9".repeat(5000), "0." + "9".repeat(5000))) {
        Reply reply = server.post(NS + "/tasks", "{" + LOCAL + ", \"payload\": " + number + "}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body().path("message").asString())
            .contains("numbers of at most 100 characters");
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e9999999999", "1e-9999999999", "1e2147483648"})
    void whose_exponent_is_too_large_for_any_number_is_refused(String number) {
      Reply reply = server.post(
          NS + "/tasks", "{" + LOCAL + ", \"in\": \"1h\", \"payload\": " + number + "}");
      assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
    }

    @Test
    void of_a_setting_must_be_one_to_calculate_with() {
      for (String number : List.of("1e999", "-1e999", "1e2000000000")) {
        Reply backoff =
            server.post(NS + "/tasks", "{" + LOCAL + ", \"retry\": {\"backoff\": " + number + "}}");
        assertThat(backoff.status()).isEqualTo(400);
        assertThat(backoff.field()).isEqualTo("retry.backoff");
        Reply max =
            server.post(NS + "/tasks", "{" + LOCAL + ", \"retry\": {\"max\": " + number + "}}");
        assertThat(max.status()).isEqualTo(400);
        assertThat(max.field()).isEqualTo("retry.max");
        Reply setting = server.post(
            NS + "/tasks",
            "{\"executor\": {\"type\": \"local\", \"handler\": \"h\", \"x\": " + number + "}}");
        assertThat(setting.status()).isEqualTo(400);
        assertThat(setting.field()).isEqualTo("executor.x");
      }
    }
  }

  @Nested
  class The_zone_UTC {
    @Test
    void is_called_so() {
      Reply job =
          server.put(NS + "/jobs/utc", "{" + LOCAL + ", \"trigger\": {\"cron\": \"@daily\"}}");
      assertThat(job.body().at("/trigger/zone").asString()).isEqualTo("UTC");
      assertThat(server.put(NS + "/calendars/utc", "{}").body().path("zone").asString())
          .isEqualTo("UTC");
      assertThat(server
              .get("/api/v1/cron/preview?expression=@daily")
              .body()
              .path("zone")
              .asString())
          .isEqualTo("UTC");
    }

    @Test
    void is_the_same_whether_it_was_written_or_left_out() {
      String bare = "{" + LOCAL + ", \"id\": \"same\", \"trigger\": {\"cron\": \"@daily\"}}";
      server.post(NS + "/jobs", "{\"action\": \"apply\", \"jobs\": [" + bare + "]}");
      for (String zone : List.of("UTC", "Z")) {
        String written = bare.replace("@daily\"", "@daily\", \"zone\": \"" + zone + "\"");
        Reply again =
            server.post(NS + "/jobs", "{\"action\": \"apply\", \"jobs\": [" + written + "]}");
        assertThat(again.body().at("/results/0/outcome").asString()).isEqualTo("unchanged");
      }
    }
  }

  @Test
  void the_first_token_was_made_by_this_node_as_others_know_it() {
    String node = server.get(NS + "/cluster").body().at("/nodes/0/id").asString();
    String by = server.get(NS + "/tokens").body().at("/items/0/by").asString();
    assertThat(by).isNotEmpty().isNotEqualTo("this node");
    assertThat(node).startsWith(by + "~");
  }
}
