package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TallyTest {
  @Test
  void a_value_is_counted_where_its_bound_is_and_the_largest_above_all() {
    Tally tally = Tally.ofLots();
    tally.add(1);
    tally.add(2);
    tally.add(3);
    tally.add(1000);
    tally.add(1001);
    Distribution now = tally.now();
    assertThat(now.bounds()).startsWith(1.0, 2.0, 5.0).endsWith(1000.0);
    assertThat(now.counts()).startsWith(1L, 1L, 1L, 0L).endsWith(1L, 1L);
    assertThat(now.count()).isEqualTo(5);
    assertThat(now.sum()).isEqualTo(2007);
  }

  @Test
  void times_are_told_in_seconds_and_odd_ones_do_no_harm() {
    Tally tally = Tally.ofTasks();
    tally.add(Duration.ofMillis(1500));
    tally.add(Duration.ofMillis(-3));
    tally.add(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(tally.now().count()).isEqualTo(3);
    assertThat(tally.now().counts().getFirst()).isEqualTo(1);
    assertThat(tally.now().counts().getLast()).isEqualTo(1);
    assertThat(tally.now().sum()).isEqualTo(1.5 + Duration.ofDays(366).toSeconds());
  }
}
