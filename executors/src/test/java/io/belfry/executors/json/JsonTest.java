package io.belfry.executors.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  /** The last ones have exponents that no number can have, which a parser of numbers refuses in its own way. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{} {}",
        "nope",
        "{\"a\":NaN}",
        "1e-9999999999",
        "{\"n\":1e-9999999999}",
        "[1E+99999999999999999999]",
        "{\"a\":[{\"b\":-0.1e9999999999}]}"
      })
  void what_is_no_json_is_absent(String text) {
    assertThat(Json.parse(text)).isEmpty();
    assertThat(Json.parse(text.getBytes(UTF_8))).isEmpty();
  }

  @Test
  void numbers_keep_what_they_are() {
    assertThat(Json.parse("{\"a\":1.50,\"b\":1e999,\"c\":12345678901234567890}"))
        .get()
        .hasToString("{\"a\":1.50,\"b\":1E+999,\"c\":12345678901234567890}");
  }
}
