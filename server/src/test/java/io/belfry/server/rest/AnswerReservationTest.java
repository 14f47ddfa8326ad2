package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What requests reserve while they wait for the store must not keep others of their token from it. */
class AnswerReservationTest {
  private static final int CALLERS = 64;
  private static final int TASKS = 100;

  @Test
  void many_batches_of_one_token_wait_for_a_slow_store_at_once() {
    var memory = AnswerMemory.of(Optional.of(16L << 20), Time.system());
    for (int i = 0; i < CALLERS; i++) {
      new AnswerReservation(memory, "token").begin(TASKS * SubmitRoutes.OUTCOME_BYTES);
    }
    assertThat(memory.held()).isEqualTo(CALLERS * TASKS * SubmitRoutes.OUTCOME_BYTES);
  }
}
