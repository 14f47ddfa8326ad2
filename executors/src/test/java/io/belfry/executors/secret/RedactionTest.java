package io.belfry.executors.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.json.Json;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.testkit.Seeds;
import java.net.URLEncoder;
import java.util.Base64;
import org.junit.jupiter.api.Test;

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
  void hides_the_longer_of_two_that_overlap() {
    var redaction = hiding("value");
    redaction.add("long", "value-and-more");
    assertThat(redaction.apply("value-and-more value")).isEqualTo("(secret long) (secret db)");
  }

  @Test
  void json_that_would_break_becomes_text() throws Exception {
    var data = Payload.json("{\"n\":1234567}");
    Result result = Redacted.of(hiding("1234567"), () -> new Result(0, "1234567", data));
    assertThat(result.message()).isEqualTo("(secret db)");
    assertThat(result.data().text()).isEqualTo("{\"n\":(secret db)}");
    assertThat(result.data().contentType()).isEqualTo("text/plain");
  }

  @Test
  void failures_and_surprises_pass_it_too() {
    assertThatExceptionOfType(AttemptException.class)
        .isThrownBy(() -> Redacted.of(hiding("hidden!"), () -> {
          throw new AttemptException(Failure.timeout("hidden! in it"));
        }))
        .withMessage("(secret db) in it")
        .satisfies(e -> assertThat(e.failure().kind()).isEqualTo(FailureKind.TIMEOUT));
    assertThatExceptionOfType(AttemptException.class)
        .isThrownBy(() -> Redacted.of(hiding("hidden!"), () -> {
          throw new IllegalStateException("hidden! in it");
        }))
        .withMessageStartingWith("java.lang.IllegalStateException: (secret db) in it at ")
        .satisfies(e -> assertThat(e.failure().kind()).isEqualTo(FailureKind.ERROR));
  }
}
