package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Payload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonPathTest {
  private static final Payload PAYLOAD = Payload.json(
      "{\"a\": {\"skip\": [1, {\"x\": 2}], \"b\": \"v\\u00e4l\"}, \"n\": 1.50, \"t\": true, \"z\": null, \"l\": [{\"k\": 7}]}");

  private static Optional<String> find(Payload payload, String... path) {
    return new JsonPath().find(payload, List.of(path));
  }

  @Test
  void values_are_found_by_their_path() {
    assertThat(find(PAYLOAD, "a", "b")).contains("väl");
    assertThat(find(PAYLOAD, "n")).contains("1.50");
    assertThat(find(PAYLOAD, "t")).contains("true");
    assertThat(find(PAYLOAD, "l", "0", "k")).contains("7");
  }

  @Test
  void what_is_missing_or_no_plain_value_is_empty() {
    assertThat(find(PAYLOAD, "a", "c")).isEmpty();
    assertThat(find(PAYLOAD, "a")).isEmpty();
    assertThat(find(PAYLOAD, "z")).isEmpty();
    assertThat(find(PAYLOAD, "l", "1", "k")).isEmpty();
    assertThat(find(PAYLOAD, "n", "deeper")).isEmpty();
  }

  @Test
  void what_is_not_json_has_no_values() {
    assertThat(find(Payload.EMPTY, "a")).isEmpty();
    assertThat(find(Payload.json("{\"a\": "), "a")).isEmpty();
    assertThat(find(Payload.of("text/plain", new byte[] {1}), "a")).isEmpty();
  }
}
