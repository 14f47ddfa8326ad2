package io.belfry.executors.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.ExecutorSpec;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
  private final AtomicInteger read = new AtomicInteger();

  private static ExecutorSpec spec(int number, int chars) {
    return new ExecutorSpec("http", Map.of("body", number + "x".repeat(chars)));
  }

  private PlanCache<Integer> plans(long bytes) {
    return new PlanCache<>(bytes, spec -> read.incrementAndGet());
  }

  @Test
  void settings_are_read_once() {
    PlanCache<Integer> plans = plans(1 << 20);
    assertThat(plans.of(spec(1, 10))).isEqualTo(plans.of(spec(1, 10)));
    assertThat(read).hasValue(1);
  }

  @Test
  void plans_are_bounded_in_bytes_and_not_only_in_number() {
    PlanCache<Integer> plans = plans(4 << 20);
    for (int i = 0; i < 2000; i++) {
      var unused = plans.of(spec(i, 10_000));
      assertThat(plans.bytes()).isLessThanOrEqualTo(4 << 20);
    }
    assertThat(plans.bytes()).isPositive();
  }

  @Test
  void settings_that_are_larger_than_all_of_it_are_read_each_time() {
    PlanCache<Integer> plans = plans(1000);
    assertThat(plans.of(spec(1, 10_000))).isNotEqualTo(plans.of(spec(1, 10_000)));
    assertThat(plans.bytes()).isZero();
  }
}
