package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DistributionCounterTest {
  @Test
  void a_value_is_counted_where_its_bound_is_and_the_largest_above_all() {
    DistributionCounter counter = DistributionCounter.ofBatches();
    counter.add(1);
    counter.add(2);
    counter.add(3);
    counter.add(1000);
    counter.add(1001);
    Distribution now = counter.now();
    assertThat(now.bounds()).startsWith(1.0, 2.0, 5.0).endsWith(1000.0);
    assertThat(now.counts()).startsWith(1L, 1L, 1L, 0L).endsWith(1L, 1L);
    assertThat(now.count()).isEqualTo(5);
    assertThat(now.sum()).isEqualTo(2007);
  }

  @Test
  void times_are_told_in_seconds_and_odd_ones_do_no_harm() {
    DistributionCounter counter = DistributionCounter.ofTasks();
    counter.add(Duration.ofMillis(1500));
    counter.add(Duration.ofMillis(-3));
    counter.add(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(counter.now().count()).isEqualTo(3);
    assertThat(counter.now().counts().getFirst()).isEqualTo(1);
    assertThat(counter.now().counts().getLast()).isEqualTo(1);
    assertThat(counter.now().sum()).isEqualTo(1.5 + Duration.ofDays(366).toSeconds());
  }
}
