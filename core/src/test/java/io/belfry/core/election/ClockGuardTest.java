package io.belfry.core.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockGuardTest {
  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final ClockGuard guard = new ClockGuard(time);

  @Test
  void a_calendar_that_goes_as_the_stopwatch_does_is_steady() {
    time.advance(Duration.ofHours(3));
    assertThat(guard.isSteady()).isTrue();
  }

  @Test
  void a_calendar_that_was_set_is_not() {
    time.stepWall(Duration.ofMillis(1_001));
    assertThat(guard.isSteady()).isFalse();
    time.stepWall(Duration.ofHours(-1));
    assertThat(guard.isSteady()).isFalse();
  }

  @Test
  void it_is_steady_again_from_where_it_was_set_to() {
    time.stepWall(Duration.ofHours(1));
    assertThat(guard.isSteady()).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(guard.isSteady()).isTrue();
  }

  @Test
  void a_process_that_stands_still_between_reading_two_clocks_has_a_steady_calendar() {
    for (int read = 0; read < 6; read++) {
      var stalling = new StallingTime(time, read);
      var its = new ClockGuard(stalling);
      for (int i = 0; i < 3; i++) {
        assertThat(its.isSteady()).as("held up at read %d, look %d", read, i).isTrue();
      }
      stalling.time.stepWall(Duration.ofSeconds(2));
      assertThat(its.isSteady()).isFalse();
    }
  }

  /** Stands still for a minute behind one of the reads of its clocks. */
  private static final class StallingTime implements Time {
    private final ManualTime time;
    private int left;

    StallingTime(ManualTime time, int reads) {
      this.time = time;
      this.left = reads;
    }

    @Override
    public Instant wall() {
      Instant now = time.wall();
      stall();
      return now;
    }

    @Override
    public long nanos() {
      long now = time.nanos();
      stall();
      return now;
    }

    private void stall() {
      if (left-- == 0) {
        time.advance(Duration.ofMinutes(1));
      }
    }
  }

  @Test
  void a_little_at_a_time_is_followed() {
    for (int i = 0; i < 100; i++) {
      time.advance(Duration.ofSeconds(1));
      time.stepWall(Duration.ofSeconds(1));
      assertThat(guard.isSteady()).isTrue();
    }
  }
}
