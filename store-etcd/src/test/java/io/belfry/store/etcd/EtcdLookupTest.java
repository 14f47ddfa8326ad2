package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.HangingNames;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A name server that does not answer holds nobody up for longer than is promised. */
class EtcdLookupTest {
  private static final Duration REQUEST = Duration.ofSeconds(1);

  @AfterEach
  void letGo() {
    HangingNames.giveUp();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void connecting_and_closing_end_though_look_ups_hang() {
    Time time = Time.system();
    long start = time.nanos();
    assertThatThrownBy(() -> EtcdStore.connect(EtcdSettings.of(
                "etcd://a.hangs.test:2379,b.hangs.test:2379", "ns")
            .timeouts(new EtcdSettings.Timeouts(
                Duration.ofMillis(100), REQUEST, Duration.ofMillis(50), Duration.ofMillis(200)))))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(HangingNames.waiting()).as("look-ups that hang").isPositive();
    assertThat(Duration.ofNanos(time.nanos() - start))
        .isLessThan(REQUEST.plus(Duration.ofSeconds(10)));
  }
}
