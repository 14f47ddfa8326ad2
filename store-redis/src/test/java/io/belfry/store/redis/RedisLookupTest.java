package io.belfry.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.HangingNames;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A name server that does not answer holds nobody up for longer than is promised. */
class RedisLookupTest {
  private static final Duration ANSWER = Duration.ofSeconds(1);

  @AfterEach
  void letGo() {
    HangingNames.giveUp();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://redis.hangs.test:6379",
        "redis+cluster://a.hangs.test:6379,b.hangs.test:6379",
        "redis+sentinel://a.hangs.test:26379,b.hangs.test:26379/main"
      })
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void connecting_and_closing_end_though_a_look_up_hangs(String uri) {
    Time time = Time.system();
    long start = time.nanos();
    assertThatThrownBy(() -> RedisStore.connect(RedisSettings.at(uri)
            .timeouts(new RedisSettings.Timeouts(
                Duration.ofMillis(300), Duration.ofMillis(300), ANSWER))))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(HangingNames.waiting()).as("look-ups that hang").isPositive();
    assertThat(Duration.ofNanos(time.nanos() - start))
        .isLessThan(ANSWER.plus(Duration.ofSeconds(10)));
  }
}
