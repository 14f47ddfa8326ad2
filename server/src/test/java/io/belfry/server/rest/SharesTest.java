package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.server.rest.Shares.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final Shares shares = new Shares(8, 4, Time.system());

  @Test
  void one_caller_holds_its_share_only_and_others_find_the_rest() {
    assertThat(shares.take("a", 3, Duration.ZERO)).isEqualTo(Outcome.TAKEN);
    assertThat(shares.take("a", 2, Duration.ZERO)).isEqualTo(Outcome.SHARE_HELD);
    assertThat(shares.take("a", 1, Duration.ZERO)).isEqualTo(Outcome.TAKEN);
    assertThat(shares.take("b", 4, Duration.ZERO)).isEqualTo(Outcome.TAKEN);
    assertThat(shares.held()).isEqualTo(8);
    assertThat(shares.take("c", 1, Duration.ZERO)).isEqualTo(Outcome.ALL_HELD);
    assertThat(shares.refusedOfShare()).isEqualTo(1);
    assertThat(shares.refusedOfAll()).isEqualTo(1);
  }

  @Test
  void what_was_given_back_can_be_taken_again() {
    for (int i = 0; i < 100; i++) {
      assertThat(shares.take("caller " + i, 4, Duration.ZERO)).isEqualTo(Outcome.TAKEN);
      shares.give("caller " + i, 1);
      shares.give("caller " + i, 3);
    }
    assertThat(shares.held()).isZero();
    assertThatThrownBy(() -> shares.give("caller 1", 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void who_waits_gets_what_is_given_back_meanwhile() {
    assertThat(shares.take("a", 4, Duration.ZERO)).isEqualTo(Outcome.TAKEN);
    var waiting = CompletableFuture.supplyAsync(() -> shares.take("a", 4, LONG));
    assertThat(waiting).isNotDone();
    shares.give("a", 4);
    await().until(waiting::isDone);
    assertThat(waiting).isCompletedWithValue(Outcome.TAKEN);
    assertThat(shares.held()).isEqualTo(4);
  }

  @Test
  void who_waits_in_vain_holds_nothing_afterwards() {
    assertThat(shares.take("a", 4, Duration.ZERO)).isEqualTo(Outcome.TAKEN);
    assertThat(shares.take("b", 4, Duration.ZERO)).isEqualTo(Outcome.TAKEN);
    assertThat(shares.take("c", 4, Duration.ofMillis(10))).isEqualTo(Outcome.ALL_HELD);
    shares.give("a", 4);
    assertThat(shares.take("c", 4, Duration.ZERO)).isEqualTo(Outcome.TAKEN);
  }
}
