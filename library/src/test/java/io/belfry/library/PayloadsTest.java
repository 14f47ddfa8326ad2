package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.core.execute.AttemptException;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class PayloadsTest {
  private record Order(BigDecimal amount) {}

  @Test
  void a_payload_is_read_as_what_a_handler_takes() throws Exception {
    assertThat(Payloads.read(Payload.json("{\"amount\":1.50}"), Order.class))
        .isEqualTo(new Order(new BigDecimal("1.50")));
  }

  /** A payload that the handler cannot read fails the task without a retry. */
  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"amount\":\"x\"}", "{\"amount\":1e-9999999999}", "null"})
  void a_payload_that_cannot_be_read_is_rejected(String json) {
    assertThatExceptionOfType(AttemptException.class)
        .isThrownBy(() -> Payloads.read(Payload.json(json), Order.class))
        .withMessageContaining("payload must be JSON that can be read as ")
        .satisfies(e -> assertThat(e.failure().kind()).isEqualTo(FailureKind.REJECTED));
  }

  @ParameterizedTest
  @ValueSource(classes = {JsonNode.class, Map.class, Object.class, double.class, BigDecimal.class})
  void a_number_that_no_type_can_hold_is_rejected_or_read_as_another(Class<?> type)
      throws Exception {
    try {
      assertThat(Payloads.read(Payload.json("1e-9999999999"), type)).isNotNull();
    } catch (AttemptException e) {
      assertThat(e.failure().kind()).isEqualTo(FailureKind.REJECTED);
    }
  }
}
