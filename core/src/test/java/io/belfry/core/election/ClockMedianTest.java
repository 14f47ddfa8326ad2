package io.belfry.core.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockMedianTest {
  private static final Duration BEAT = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final ClockMedian median = new ClockMedian(time, BEAT);

  /** A heartbeat from each, by a clock so many milliseconds ahead of ours, heard at once; then a look. */
  private void beat(long... aheadMillis) {
    for (int i = 0; i < aheadMillis.length; i++) {
      median.heartbeat("n" + i, time.wall().plusMillis(aheadMillis[i]));
    }
    median.check();
    time.advance(BEAT);
  }

  @Test
  void alone_nobody_is_off() {
    beat();
    beat();
    assertThat(median.off()).isEmpty();
  }

  @Test
  void of_two_that_contradict_each_other_neither_is_off() {
    beat(60_000);
    beat(60_000);
    beat(60_000);
    assertThat(median.off()).isEmpty();
  }

  @Test
  void one_against_two_is_off_at_the_second_look() {
    beat(-5_000, -5_100);
    assertThat(median.off()).isEmpty();
    beat(-5_000, -5_100);
    assertThat(median.off()).hasValue(Duration.ofSeconds(5));
  }

  @Test
  void one_of_the_majority_is_not_off() {
    for (int i = 0; i < 4; i++) {
      beat(100, 3_600_000);
    }
    assertThat(median.off()).isEmpty();
  }

  @Test
  void two_halves_that_contradict_each_other_both_go_on() {
    for (int i = 0; i < 4; i++) {
      beat(0, 9_000, 9_000);
    }
    assertThat(median.off()).isEmpty();
  }

  @Test
  void two_seconds_are_tolerated() {
    for (int i = 0; i < 4; i++) {
      beat(1_990, 2_000);
    }
    assertThat(median.off()).isEmpty();
    for (int i = 0; i < 4; i++) {
      beat(2_010, 2_020);
    }
    assertThat(median.off()).isPresent();
  }

  @Test
  void a_step_of_our_own_clock_shows_without_new_heartbeats() {
    beat(0, 0);
    time.stepWall(Duration.ofSeconds(-30));
    median.check();
    time.advance(BEAT);
    assertThat(median.check()).hasValue(Duration.ofSeconds(-30));
  }

  @Test
  void a_clock_set_right_is_not_off_any_more() {
    beat(5_000, 5_000);
    beat(5_000, 5_000);
    assertThat(median.off()).isPresent();
    time.stepWall(Duration.ofSeconds(5));
    beat(0, 0);
    assertThat(median.off()).isEmpty();
  }

  @Test
  void heartbeats_that_come_late_in_a_burst_accuse_nobody() {
    beat(0, 0);
    beat(0, 0);
    time.advance(Duration.ofSeconds(10));
    for (int late = 10; late > 3; late--) {
      median.heartbeat("n0", time.wall().minusSeconds(late));
      median.heartbeat("n1", time.wall().minusSeconds(late));
    }
    median.check();
    assertThat(median.off()).isEmpty();
    time.advance(BEAT);
    beat(0, 0);
    assertThat(median.off()).isEmpty();
  }

  @Test
  void of_several_heartbeats_the_quickest_counts() {
    for (int i = 0; i < 6; i++) {
      long delay = i % 2 == 0 ? -2_500 : -10;
      beat(delay, delay);
    }
    assertThat(median.off()).isEmpty();
  }

  @Test
  void who_is_gone_or_silent_does_not_count() {
    beat(9_000, 9_000);
    beat(9_000, 9_000);
    assertThat(median.off()).isPresent();
    median.gone("n0");
    median.check();
    assertThat(median.off()).isEmpty();
    assertThat(median.knows("n1")).isTrue();
    time.advance(Duration.ofSeconds(4));
    assertThat(median.knows("n1")).isFalse();
  }

  @Test
  void what_is_written_in_a_record_may_be_anything() {
    median.heartbeat("n0", Instant.MAX);
    median.heartbeat("n1", Instant.MIN);
    median.check();
    time.advance(BEAT);
    assertThat(median.check()).isEmpty();
  }
}
