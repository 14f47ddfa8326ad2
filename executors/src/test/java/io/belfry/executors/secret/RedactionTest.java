package io.belfry.executors.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.json.Json;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.testkit.Seeds;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  private static final String SECRET = "p@ss/word+\"1\" é";

  private static Redaction hiding(String value) {
    var redaction = new Redaction();
    redaction.add("db", value);
    return redaction;
  }

  @Test
  void hides_the_value_wherever_it_stands() {
    assertThat(hiding(SECRET).apply("a " + SECRET + " b" + SECRET))
        .isEqualTo("a (secret db) b(secret db)");
  }

  @Test
  void hides_percent_encoded_and_json_forms() {
    String form = URLEncoder.encode(SECRET, UTF_8);
    String json = Json.of(SECRET).toString();
    assertThat(hiding(SECRET).apply("x=" + form)).isEqualTo("x=(secret db)");
    assertThat(hiding(SECRET).apply("x=" + form.replace("+", "%20"))).isEqualTo("x=(secret db)");
    assertThat(hiding(SECRET).apply(json)).isEqualTo("\"(secret db)\"");
    assertThat(hiding("a/b c/d").apply("%61 a%2fb%20c%2fd")).isEqualTo("%61 (secret db)");
  }

  /** All of them are the same string to whoever reads JSON. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "p@ss\\/word+\\\"1\\\" \u00e9", // PHP
        "p@ss/word+\\\"1\\\" \\u00e9", // Python
        "p@ss\\/word+\\\"1\\\" \\u00e9", // PHP without flags
        "p@ss/word\\u002b\\\"1\\\" \u00e9", // Gson
        "p@ss/word+\\u00221\\u0022 \u00E9",
        "p@ss/word+\\u00221\\u0022 \\u00E9",
        "\\u0070\\u0040ss/word+\\\"1\\\" \u00e9"
      })
  void hides_every_way_to_escape_it_in_json(String escaped) {
    String json = "{\"n\":1.50,\"said\":\"<" + escaped + ">\",\"" + escaped + "\":[true]}";
    assertThat(Json.parse(json).orElseThrow().get("said").stringValue())
        .isEqualTo("<" + SECRET + ">");
    assertThat(hiding(SECRET).apply(json))
        .isEqualTo("{\"n\":1.50,\"said\":\"<(secret db)>\",\"(secret db)\":[true]}");
    assertThat(hiding(SECRET).apply("12:00 WARN body was " + json + " C:\\temp"))
        .isEqualTo(
            "12:00 WARN body was {\"n\":1.50,\"said\":\"<(secret db)>\",\"(secret db)\":[true]} C:\\temp");
  }

  @Test
  void hides_what_go_escapes() {
    String escaped = "a\\u0026b\\u003cc\\u003ed";
    assertThat(hiding("a&b<c>d").apply("{\"x\":\"" + escaped + "\"}"))
        .isEqualTo("{\"x\":\"(secret db)\"}");
  }

  /** Services log JSON that they received, as a string of their own JSON. */
  @Test
  void hides_it_in_json_within_json() {
    String text = "{\"k\":\"p@ss\\/word+\\\"1\\\" \\u00e9\"}";
    for (int depth = 1; depth <= 4; depth++) {
      text = Json.of(Map.of("in", text)).toString();
      String shown = hiding(SECRET).apply(text);
      assertThat(shown).as("depth %d", depth).contains("(secret db)").doesNotContain("p@ss");
      assertThat(Json.parse(shown)).isPresent();
    }
  }

  @Test
  void hides_encoded_forms_that_are_escaped() {
    byte[] value = {(byte) 'a', '?', '?', '?', '~', '~', '~', 'z', '>', '>', '>'};
    String base64 = Base64.getEncoder().encodeToString(value);
    assertThat(base64).contains("/", "+");
    assertThat(hiding(new String(value, UTF_8))
            .apply("{\"b\":\"" + base64.replace("/", "\\/") + "\"}"))
        .isEqualTo("{\"b\":\"(secret db)\"}");
  }

  @Test
  void hides_lines_of_a_key_in_json() {
    String pem = "-----BEGIN KEY-----\nMIIEvQIBADANBg/a\n-----END KEY-----\n";
    assertThat(hiding(pem).apply(Json.of(Map.of("pem", pem)).toString().replace("/", "\\/")))
        .doesNotContain("MIIE", "BEGIN KEY");
  }

  @Test
  void leaves_escapes_alone_that_are_none_of_it() {
    String text = "{\"a\":\"C:\\\\new\\\\u00e9 \\u00e4\\/\\n\"} \\ \\u \\u00 \\x41";
    assertThat(hiding(SECRET).apply(text)).isEqualTo(text);
  }

  @Test
  void hides_it_beside_backslashes_that_are_none_of_it() {
    assertThat(hiding("newsecret").apply("C:\\newsecret\\")).isEqualTo("C:\\(secret db)\\");
    assertThat(hiding("se/cret!").apply("dir\\\\se\\/cret!\\\\"))
        .isEqualTo("dir\\\\(secret db)\\\\");
  }

  @Test
  void hides_random_values_in_random_escapes() {
    Seeds.each(500, random -> {
      var value = new StringBuilder();
      var escaped = new StringBuilder();
      for (int i = 0; i < 8 + random.nextInt(8); i++) {
        char c = "ab/\\\"\n\t\u00e4\u20ac".charAt(random.nextInt(9));
        value.append(c);
        boolean must = c < ' ' || c == '"' || c == '\\';
        escaped.append(
            must || random.nextBoolean() ? "\\u%04x".formatted((int) c) : String.valueOf(c));
      }
      String json = "{\"x\":\"<<" + escaped + ">>\"}";
      String shown = hiding(value.toString()).apply(json);
      assertThat(Json.parse(shown).orElseThrow().get("x").stringValue())
          .isEqualTo("<<(secret db)>>");
    });
  }

  /** Measured at 0.2 s each; a target could send it to keep workers busy. */
  @Test
  void is_quick_with_a_megabyte_of_escapes() {
    for (String unit : List.of("\\", "\\u005c", "\\\\u005cu005c", "\\/", "a\\")) {
      String text = unit.repeat((1 << 20) / unit.length());
      assertTimeout(Duration.ofSeconds(10), () -> hiding(SECRET).apply(text));
    }
  }

  @Test
  void hides_base64_alone_and_inside_of_something_longer() {
    Seeds.each(200, random -> {
      byte[] bytes = new byte[8 + random.nextInt(20)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) ('!' + random.nextInt(90));
      }
      String value = new String(bytes, UTF_8);
      String around = "u".repeat(random.nextInt(6)) + value + "v".repeat(random.nextInt(6));
      for (var encoder :
          new Base64.Encoder[] {Base64.getEncoder(), Base64.getUrlEncoder().withoutPadding()}) {
        String shown = hiding(value).apply(encoder.encodeToString(around.getBytes(UTF_8)));
        assertThat(shown).contains("(secret db)");
        assertThat(shown.replace("(secret db)", "").length()).isLessThan(22);
      }
    });
  }

  @Test
  void hides_the_lines_of_a_long_key() {
    String pem = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----\n";
    assertThat(hiding(pem).apply("log: kqhkiG9w0BAQEF")).isEqualTo("log: (secret db)");
  }

  @Test
  void leaves_alone_what_is_too_short_to_be_one() {
    assertThat(hiding("abc").apply("abcabc")).isEqualTo("abcabc");
    assertThat(new Redaction().apply("anything")).isEqualTo("anything");
  }

  @Test
  void leaves_nothing_of_a_value_that_was_cut_at_the_end() {
    String value = "Zq7Rk2Wm9Xv4Tn8BpL3c";
    String escaped = "\\u005a\\u0071" + value.substring(2);
    for (String written : List.of(value, escaped)) {
      String text = "x".repeat(500) + written + written + " and more";
      for (int end = 0; end <= text.length(); end++) {
        String shown = hiding(value).applyToBeginning(text.substring(0, end));
        String rest = shown.replace("(secret db)", "");
        assertThat("x".repeat(500) + " and more").as("%d of %s", end, written).startsWith(rest);
        assertThat(rest.length()).isGreaterThanOrEqualTo(Math.min(end, 500) - 8 * value.length());
      }
    }
    assertThat(new Redaction().applyToBeginning("abc")).isEqualTo("abc");
  }

  @Test
  void cuts_only_what_it_has_hidden() {
    for (int before = 0; before < 120; before++) {
      String shown = hiding("Zq7Rk2Wm9Xv4Tn8BpL3c")
          .clip("x".repeat(before) + "Zq7Rk2Wm9Xv4Tn8BpL3c" + "y".repeat(100), 80);
      assertThat(shown).hasSizeLessThanOrEqualTo(80).doesNotContain("Zq7", "L3c");
    }
  }

  @Test
  void hides_the_whole_of_two_that_overlap() {
    var redaction = hiding("value-and-more");
    redaction.add("end", "more-and-end");
    assertThat(redaction.apply("a value-and-more-and-end b")).isEqualTo("a (secret db) b");
  }

  @Test
  void hides_the_longer_of_two_that_overlap() {
    var redaction = hiding("value");
    redaction.add("long", "value-and-more");
    assertThat(redaction.apply("value-and-more value")).isEqualTo("(secret long) (secret db)");
  }

  @Test
  void json_that_would_break_becomes_text() throws Exception {
    var data = Payload.json("{\"n\":1234567}");
    Result result = RedactedOutcome.of(hiding("1234567"), () -> new Result(0, "1234567", data));
    assertThat(result.message()).isEqualTo("(secret db)");
    assertThat(result.data().text()).isEqualTo("{\"n\":(secret db)}");
    assertThat(result.data().contentType()).isEqualTo("text/plain");
  }

  @Test
  void failures_and_surprises_pass_it_too() {
    assertThatExceptionOfType(AttemptException.class)
        .isThrownBy(() -> RedactedOutcome.of(hiding("hidden!"), () -> {
          throw new AttemptException(Failure.timeout("hidden! in it"));
        }))
        .withMessage("(secret db) in it")
        .satisfies(e -> assertThat(e.failure().kind()).isEqualTo(FailureKind.TIMEOUT));
    assertThatExceptionOfType(AttemptException.class)
        .isThrownBy(() -> RedactedOutcome.of(hiding("hidden!"), () -> {
          throw new IllegalStateException("hidden! in it");
        }))
        .withMessageStartingWith("java.lang.IllegalStateException: (secret db) in it at ")
        .satisfies(e -> assertThat(e.failure().kind()).isEqualTo(FailureKind.ERROR));
  }
}
