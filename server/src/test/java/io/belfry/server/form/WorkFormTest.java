package io.belfry.server.form;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Payload;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any payload submitted by the library can be shown. */
class WorkFormTest {
  @ParameterizedTest
  @ValueSource(strings = {"1e9999999999", "[1e-9999999999]", "{\"a\": ", "nothing like JSON"})
  void json_that_cannot_be_read_is_shown_as_text(String json) {
    Payload payload = Payload.of(Payload.JSON, json.getBytes(StandardCharsets.UTF_8));
    assertThat(WorkForm.payload(payload).orElseThrow().asString()).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1E+999", "[1.50]", "{\"a\":0.1000000000000000000001}"})
  void numbers_are_shown_as_they_are(String json) {
    Payload payload = Payload.of(Payload.JSON, json.getBytes(StandardCharsets.UTF_8));
    assertThat(WorkForm.payload(payload).orElseThrow().toString()).isEqualTo(json);
  }
}
