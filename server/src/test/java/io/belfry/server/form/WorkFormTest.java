package io.belfry.server.form;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Payload;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Any payload submitted by the library can be shown. */
class WorkFormTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

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

  private static final String LONG = "\"" + "x".repeat(CopiedJson.WORTH_BYTES) + "\"";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "[%s,1E+999,1.50,{\"a\":[],\"b\":{}},true,null,0.10,12345678901234567890]",
        "{\"ä\":\"\\u0000\\\"\",\"rest\":%s}"
      })
  void a_large_payload_is_copied_as_it_would_be_written_from_a_tree(String form) {
    String json = form.replace("%s", LONG);
    Payload payload = Payload.of(Payload.JSON, json.getBytes(StandardCharsets.UTF_8));
    assertThat(CopiedJson.isGood(payload)).isTrue();
    assertThat(JSON.writeValueAsString(WorkForm.payload(payload).orElseThrow())).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[%s", "%s 1", "{\"a\":1,\"a\":%s}", "[%s,1e9999999999]", "[%s,\"\\ud800\"]x"})
  void what_could_not_be_copied_to_its_end_is_not_begun(String form) {
    String json = form.replace("%s", LONG);
    Payload payload = Payload.of(Payload.JSON, json.getBytes(StandardCharsets.UTF_8));
    assertThat(CopiedJson.isGood(payload)).isFalse();
  }
}
