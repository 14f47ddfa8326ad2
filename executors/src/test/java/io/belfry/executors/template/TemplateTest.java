package io.belfry.executors.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.TestAttempt;
import io.belfry.executors.secret.Destination;
import io.belfry.executors.secret.Redaction;
import io.belfry.executors.secret.SecretValue;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
  private static final String PAYLOAD = """
      {"id": 17, "name": "Ada/Bob & Co", "big": 12345678901234567890.10, "ok": true, "none": null, "empty": "",
       "items": [{"sku": "a-1"}, {"sku": "b 2"}], "up": "..", "evil": "http://evil.example/", "lines": "a\\r\\nX: b"}""";

  private static final TestAttempt ATTEMPT = TestAttempt.of(ExecutorSpec.local("any"))
      .payload(PAYLOAD)
      .metadata(Map.of("team", "billing", "a.b", "dotted"));

  private static Values values(TestAttempt attempt, ZoneId zone) {
    var scope = new Scope(
        "eu",
        name -> Optional.of(name)
            .filter("key"::equals)
            .map(n -> SecretValue.unrestricted("top secret")),
        Time.system());
    return new Values(
        attempt,
        scope,
        zone,
        Optional.of("http://me/cb/1"),
        new Destination.Script(),
        new Redaction());
  }

  private static Values values() {
    return values(ATTEMPT, ZoneOffset.UTC);
  }

  private static String fill(String text) throws AttemptException {
    return Template.parse("executor.x", text).fill(values());
  }

  private static String url(String text) throws AttemptException {
    UrlTemplate template = UrlTemplate.parse("executor.url", text, Map.of());
    return template.base() + template.fill(values());
  }

  private static String body(Object plain) throws AttemptException {
    return new String(
        BodyTemplate.json("executor.body", plain).fill(values()), StandardCharsets.UTF_8);
  }

  @Nested
  class Sources {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "${payload.id}                  | 17",
          "${payload.items.1.sku}         | b 2",
          "${payload.big}                 | 12345678901234567890.10",
          "${payload.items.0}             | {\"sku\":\"a-1\"}",
          "${payload.ok}                  | true",
          "${scheduled}                   | 2027-01-01T23:30:00Z",
          "${scheduled.date}              | 2027-01-01",
          "${scheduled.epochMillis}       | 1798846200000",
          "${task}                        | nightly@2027-01-01T23:30:00Z",
          "${job}                         | nightly",
          "${attempt}                     | 2",
          "${token}                       | 4711",
          "${key}                         | order-17",
          "${namespace}                   | eu",
          "${metadata.team}               | billing",
          "${metadata.a.b}                | dotted",
          "${callback.url}                | http://me/cb/1",
          "${secret:key}                  | top secret",
          "$${payload.id}                 | ${payload.id}",
          "a${job}b$${c}${attempt}d$      | anightlyb${c}2d$",
          "{\"$ref\": \"$x\"}             | {\"$ref\": \"$x\"}"
        })
    void are_all_filled_in(String template, String expected) throws AttemptException {
      assertThat(fill(template)).isEqualTo(expected);
    }

    @Test
    void a_date_is_one_of_the_zone_that_is_given() throws AttemptException {
      Values inBerlin = values(ATTEMPT, ZoneId.of("Europe/Berlin"));
      assertThat(Template.parse("x", "${scheduled.date}").fill(inBerlin)).isEqualTo("2027-01-02");
    }

    @Test
    void a_payload_that_is_no_json_is_a_text_as_a_whole() throws AttemptException {
      var text = Payload.of("text/plain", "plain {text".getBytes(StandardCharsets.UTF_8));
      Values values = values(ATTEMPT.payload(text), ZoneOffset.UTC);
      assertThat(Template.parse("x", "<${payload}>").fill(values)).isEqualTo("<plain {text>");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "${payload.missing}",
          "${payload.items.7.sku}",
          "${payload.id.deeper}",
          "${payload.none}",
          "${metadata.other}",
          "${secret:other}"
        })
    void what_is_missing_is_refused_and_named(String template) {
      assertThatExceptionOfType(AttemptException.class)
          .isThrownBy(() -> fill(template))
          .satisfies(e -> assertThat(e.failure().kind()).isEqualTo(FailureKind.REJECTED))
          .withMessageContaining(template)
          .withMessageStartingWith("executor.x");
    }

    @Test
    void broken_json_is_refused() {
      Values values = values(ATTEMPT.payload("{\"a\":"), ZoneOffset.UTC);
      assertThatExceptionOfType(AttemptException.class)
          .isThrownBy(() -> Template.parse("x", "${payload.a}").fill(values))
          .withMessageContaining("must be JSON");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "${payloda.id}",
          "${}",
          "${payload.}",
          "${payload..a}",
          "${metadata.}",
          "${secret:}",
          "${secret:a b}",
          "${T(java.lang.Runtime)}",
          "${jndi:ldap://x}",
          "${open",
          "${scheduled.time}",
          "${env.PATH}"
        })
    void what_does_not_exist_is_refused_when_it_is_read(String template) {
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(() -> Template.parse("executor.body.day", template))
          .satisfies(e -> assertThat(e.field()).isEqualTo("executor.body.day"))
          .withMessageContaining("$${");
    }

    @Test
    void the_refusal_names_what_exists() {
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(() -> Template.parse("x", "${paylod.id}"))
          .withMessageContaining("${paylod.id}")
          .withMessageContaining("payload.path")
          .withMessageContaining("secret:name")
          .withMessageContaining("scheduled.epochMillis");
    }

    @Test
    void what_is_filled_in_is_bounded() {
      String half = "x".repeat(200_000);
      Values values = values(ATTEMPT.payload("{\"a\": \"" + half + "\"}"), ZoneOffset.UTC);
      assertThatExceptionOfType(AttemptException.class)
          .isThrownBy(() -> Template.parse("x", "${payload.a}".repeat(30)).fill(values))
          .withMessageContaining("must have at most 4194304 characters");
    }
  }

  @Nested
  class Urls {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "http://h/x                            | http://h/x",
          "http://h                              | http://h",
          "http://h/i/${payload.name}/l          | http://h/i/Ada%2FBob%20%26%20Co/l",
          "http://h?x=${payload.name}&y=1        | http://h?x=Ada%2FBob%20%26%20Co&y=1",
          "http://h:81/?u=${payload.evil}#frag   | http://h:81/?u=http%3A%2F%2Fevil.example%2F",
          "http://h/a?q=${payload.up}            | http://h/a?q=..",
          "http://h/v1.0/x${payload.id}          | http://h/v1.0/x17",
          "http://h/${payload.lines}             | http://h/a%0D%0AX%3A%20b"
        })
    void are_filled_without_changing_their_shape(String template, String expected)
        throws AttemptException {
      assertThat(url(template)).isEqualTo(expected);
    }

    @Test
    void parameters_are_added_and_encoded() throws AttemptException {
      var query = Map.of("n&me", Template.parse("q", "a b&${payload.id}"));
      assertThat(UrlTemplate.parse("u", "http://h/x", query).fill(values()))
          .isEqualTo("/x?n%26me=a%20b%2617");
      assertThat(UrlTemplate.parse("u", "http://h/x?a=1", query).fill(values()))
          .isEqualTo("/x?a=1&n%26me=a%20b%2617");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "${payload.evil}",
          "${payload.scheme}://h/",
          "http${payload.s}://h/",
          "http://${payload.host}/",
          "http://h${payload.evil}",
          "http://h.${payload.tld}/x",
          "http://h:${payload.port}/x",
          "http:${payload.x}",
          "http:/${payload.x}",
          "http://${payload.u}@h/",
          "http://h@${payload.x}/",
          "",
          "h/x",
          "//h/${payload.id}",
          "http://h/../x",
          "http://h/a/./b",
          "http://h/%2e%2E/b",
          "http://h/a%2f..%2fb"
        })
    void never_take_scheme_host_or_port_from_a_placeholder(String template) {
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(() -> UrlTemplate.parse("executor.url", template, Map.of()))
          .satisfies(e -> assertThat(e.field()).isEqualTo("executor.url"));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "http://h/a/${payload.up}/b",
          "http://h/a/${payload.up}",
          "http://h/a/.${payload.empty}/b",
          "http://h/a/${payload.empty}/b",
          "http://h/${payload.none}"
        })
    void refuse_values_that_would_lead_elsewhere(String template) {
      assertThatExceptionOfType(AttemptException.class)
          .isThrownBy(() -> url(template))
          .satisfies(e -> assertThat(e.failure().kind()).isEqualTo(FailureKind.REJECTED));
    }

    @Test
    void refuse_dots_that_come_together_from_two_values() {
      Values values = values(ATTEMPT.payload("{\"d\": \".\", \"s\": \"x/../y\"}"), ZoneOffset.UTC);
      for (String template :
          List.of("http://h/${payload.d}${payload.d}/x", "http://h/${payload.s}")) {
        assertThatExceptionOfType(AttemptException.class)
            .isThrownBy(() -> UrlTemplate.parse("u", template, Map.of()).fill(values))
            .withMessageContaining("'..'");
      }
    }
  }

  @Nested
  class Bodies {
    @Test
    void a_string_of_one_placeholder_keeps_the_type() throws AttemptException {
      assertThat(body(Map.of("v", "${payload.id}"))).isEqualTo("{\"v\":17}");
      assertThat(body(Map.of("v", "${payload.ok}"))).isEqualTo("{\"v\":true}");
      assertThat(body(Map.of("v", "${payload.none}"))).isEqualTo("{\"v\":null}");
      assertThat(body(Map.of("v", "${payload.items}")))
          .isEqualTo("{\"v\":[{\"sku\":\"a-1\"},{\"sku\":\"b 2\"}]}");
      assertThat(body(Map.of("v", "${payload.big}"))).isEqualTo("{\"v\":12345678901234567890.10}");
      assertThat(body(Map.of("v", "${scheduled.epochMillis}"))).isEqualTo("{\"v\":1798846200000}");
    }

    @Test
    void a_longer_string_stays_a_string_and_is_escaped() throws AttemptException {
      assertThat(body(List.of("n=${payload.id}", 1, true, "$${x}")))
          .isEqualTo("[\"n=17\",1,true,\"${x}\"]");
      assertThat(body(Map.of("v", "<${payload.lines}>"))).isEqualTo("{\"v\":\"<a\\r\\nX: b>\"}");
    }

    @Test
    void the_whole_payload_can_be_the_body() throws AttemptException {
      assertThat(body("${payload}")).startsWith("{\"id\":17,");
    }

    @Test
    void a_form_encodes_its_values() throws AttemptException {
      byte[] form =
          BodyTemplate.form("b", "name=${payload.name}&id=${payload.id}").fill(values());
      assertThat(new String(form, StandardCharsets.UTF_8))
          .isEqualTo("name=Ada%2FBob%20%26%20Co&id=17");
    }

    @Test
    void credentials_are_noticed_wherever_they_are() {
      assertThat(BodyTemplate.json("b", Map.of("a", List.of("x ${secret:key}"))).hasCredential())
          .isTrue();
      assertThat(BodyTemplate.json("b", Map.of("a", List.of("x ${payload}"))).hasCredential())
          .isFalse();
      assertThat(BodyTemplate.text("b", "${callback.url}").usesCallback()).isTrue();
    }

    @Test
    void a_refusal_names_the_place() {
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(
              () -> BodyTemplate.json("executor.body", Map.of("a", List.of("ok", "${nope}"))))
          .satisfies(e -> assertThat(e.field()).isEqualTo("executor.body.a[1]"));
    }
  }
}
