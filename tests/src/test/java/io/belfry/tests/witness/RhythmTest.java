package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RhythmTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00.400Z");
  private static final Map<String, Rhythm> OTHERS = Rhythms.others(NOW);

  private static int inAnHour(String name) {
    return rhythm(name).between(NOW, NOW.plusSeconds(3600)).size();
  }

  private static Rhythm rhythm(String name) {
    return Objects.requireNonNull(OTHERS.get(name));
  }

  @Test
  void each_has_as_many_in_an_hour_as_can_be_reckoned_by_hand() {
    assertThat(inAnHour("thirds")).isEqualTo(1200);
    assertThat(inAnHour("sevenths")).isEqualTo(60 * 6);
    assertThat(inAnHour("kolkata")).isEqualTo(30 * 15);
    assertThat(inAnHour("kathmandu")).isEqualTo(30 * 30);
    assertThat(inAnHour("steady")).isEqualTo((3600 - 2) / 2);
    assertThat(inAnHour("once")).isEqualTo(1);
  }

  @Test
  void minutes_are_those_of_the_zone() {
    assertThat(rhythm("kolkata").isDue(Instant.parse("2027-01-01T00:00:04Z"))).isFalse();
    assertThat(rhythm("kolkata").isDue(Instant.parse("2027-01-01T00:30:04Z"))).isTrue();
    assertThat(rhythm("kathmandu").isDue(Instant.parse("2027-01-01T00:01:01Z"))).isFalse();
    assertThat(rhythm("kathmandu").isDue(Instant.parse("2027-01-01T00:02:01Z"))).isTrue();
  }
}
