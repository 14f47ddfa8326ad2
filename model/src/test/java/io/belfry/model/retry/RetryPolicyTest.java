package io.belfry.model.retry;

import static io.belfry.model.retry.FailureKind.ERROR;
import static io.belfry.model.retry.FailureKind.LOST;
import static io.belfry.model.retry.FailureKind.REJECTED;
import static io.belfry.model.retry.FailureKind.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.Seeds;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
  private static final RetryPolicy EVEN = RetryPolicy.DEFAULT.withJitter(false);
  private final RandomGenerator random = new SplittableRandom(1);

  @Test
  void the_default_is_the_documented_one() {
    assertThat(RetryPolicy.DEFAULT)
        .isEqualTo(new RetryPolicy(
            3,
            Duration.ofSeconds(10),
            2.0,
            Duration.ofMinutes(5),
            true,
            Set.of(TIMEOUT, ERROR, LOST)));
  }

  @Nested
  class Waits {
    @ParameterizedTest
    @CsvSource({
      "1, 10",
      "2, 20",
      "3, 40",
      "5, 160",
      "6, 300",
      "7, 300",
      "1000, 300",
      "2147483647, 300"
    })
    void double_up_to_the_cap(int failures, long seconds) {
      assertThat(EVEN.waitAfter(failures, random)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void stay_even_with_a_factor_of_one() {
      assertThat(EVEN.withBackoff(1.0).waitAfter(50, random)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void may_be_nothing() {
      assertThat(RetryPolicy.DEFAULT.withDelay(Duration.ZERO).waitAfter(9, random))
          .isZero();
    }

    @Test
    void do_not_overflow_at_the_limits_of_everything() {
      var extreme = new RetryPolicy(
          1000, Duration.ofDays(30), 100, Duration.ofDays(30), false, Set.of(ERROR));
      assertThat(extreme.waitAfter(Integer.MAX_VALUE, random)).isEqualTo(Duration.ofDays(30));
      assertThat(extreme.waitAfter(Integer.MIN_VALUE, random)).isEqualTo(Duration.ofDays(30));
    }

    @Test
    void with_jitter_are_never_shorter_than_asked_nor_longer_than_the_cap() {
      Seeds.each(2000, seeded -> {
        RetryPolicy even = any(seeded);
        int failures = 1 + seeded.nextInt(40);
        Duration nominal = even.waitAfter(failures, seeded);
        Duration spread = even.withJitter(true).waitAfter(failures, seeded);
        Duration roomBelowCap = Duration.ofMillis((long) (even.cap().toMillis() / 1.25));
        assertThat(spread).isLessThanOrEqualTo(even.cap());
        assertThat(spread.toMillis()).isLessThanOrEqualTo((long) (nominal.toMillis() * 1.25));
        assertThat(spread).isGreaterThanOrEqualTo(min(nominal, roomBelowCap));
      });
    }

    @Test
    void with_jitter_are_spread_below_the_cap_too() {
      long distinct = random
          .longs(1000, 0, Long.MAX_VALUE)
          .map(seed ->
              RetryPolicy.DEFAULT.waitAfter(20, new SplittableRandom(seed)).toMillis())
          .distinct()
          .count();
      assertThat(distinct).isGreaterThan(900);
    }

    @Test
    void are_the_same_for_the_same_chance() {
      assertThat(RetryPolicy.DEFAULT.waitAfter(3, new SplittableRandom(7)))
          .isEqualTo(RetryPolicy.DEFAULT.waitAfter(3, new SplittableRandom(7)));
    }

    private static RetryPolicy any(RandomGenerator random) {
      Duration delay = Duration.ofMillis(random.nextLong(100_000));
      Duration cap = delay.plusMillis(random.nextLong(1_000_000));
      return new RetryPolicy(5, delay, 1 + random.nextDouble() * 9, cap, false, Set.of(ERROR));
    }

    private static Duration min(Duration a, Duration b) {
      return a.compareTo(b) < 0 ? a : b;
    }
  }

  @Nested
  class Another_try {
    @Test
    void is_allowed_until_max_failures_lie_behind() {
      assertThat(RetryPolicy.DEFAULT.allows(ERROR, 2, 0)).isTrue();
      assertThat(RetryPolicy.DEFAULT.allows(ERROR, 3, 0)).isFalse();
      assertThat(RetryPolicy.DEFAULT.allows(TIMEOUT, 2, 9)).isTrue();
    }

    @Test
    void after_a_lost_worker_uses_up_no_retry() {
      assertThat(RetryPolicy.NONE.allows(LOST, 0, 0)).isTrue();
      assertThat(RetryPolicy.DEFAULT.allows(LOST, 3, 2)).isTrue();
    }

    @Test
    void after_many_lost_workers_is_refused() {
      assertThat(RetryPolicy.NONE.allows(LOST, 0, 3)).isFalse();
      assertThat(RetryPolicy.DEFAULT.withMax(8).allows(LOST, 0, 7)).isTrue();
      assertThat(RetryPolicy.DEFAULT.withMax(8).allows(LOST, 0, 8)).isFalse();
    }

    @Test
    void is_only_for_the_named_failures() {
      RetryPolicy onTimeout = RetryPolicy.DEFAULT.withOn(Set.of(TIMEOUT));
      assertThat(onTimeout.allows(TIMEOUT, 0, 0)).isTrue();
      assertThat(onTimeout.allows(ERROR, 0, 0)).isFalse();
      assertThat(onTimeout.allows(LOST, 0, 0)).isFalse();
      assertThat(RetryPolicy.DEFAULT.allows(REJECTED, 0, 0)).isFalse();
    }
  }

  @Nested
  class Refuses {
    @ParameterizedTest
    @ValueSource(doubles = {0.99, 100.1, Double.NaN, Double.POSITIVE_INFINITY, -1})
    void a_factor_out_of_bounds(double backoff) {
      assertThatThrownBy(() -> RetryPolicy.DEFAULT.withBackoff(backoff))
          .hasMessage(
              "retry.backoff must lie between 1.0 and 100.0, because each wait is the previous one times this factor,"
                  + " but was " + backoff
                  + ". Set retry.backoff to 2.0, or to 1.0 for equal waits.");
    }

    @Test
    void numbers_out_of_bounds() {
      assertThatThrownBy(() -> RetryPolicy.DEFAULT.withMax(-1))
          .hasMessageStartingWith("retry.max must lie between");
      assertThatThrownBy(() -> RetryPolicy.DEFAULT.withMax(1001))
          .hasMessageEndingWith("Set retry.max to 1000.");
      assertThatThrownBy(() -> RetryPolicy.DEFAULT.withDelay(Duration.ofMillis(-1)))
          .hasMessageContaining("PT-0.001S");
      assertThatThrownBy(() -> RetryPolicy.DEFAULT.withCap(Duration.ofDays(31)))
          .hasMessageStartingWith("retry.cap");
    }

    @Test
    void a_cap_below_the_delay() {
      assertThatThrownBy(() -> RetryPolicy.DEFAULT.withCap(Duration.ofSeconds(5)))
          .hasMessage(
              "retry.cap must not be shorter than retry.delay (PT10S), because the cap would shorten every wait,"
                  + " but was PT5S. Raise retry.cap to PT10S or lower retry.delay.");
    }

    @Test
    void to_retry_what_was_rejected() {
      assertThatThrownBy(() -> RetryPolicy.DEFAULT.withOn(Set.of(REJECTED)))
          .hasMessageStartingWith("retry.on may contain only");
    }
  }

  @Test
  void a_longer_delay_takes_the_cap_along() {
    assertThat(RetryPolicy.DEFAULT.withDelay(Duration.ofMinutes(10)).cap())
        .isEqualTo(Duration.ofMinutes(10));
    assertThat(RetryPolicy.DEFAULT.withDelay(Duration.ofMinutes(1)).cap())
        .isEqualTo(Duration.ofMinutes(5));
  }
}
