package io.belfry.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TriggerTest {
  private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
  private static final ZoneId UTC = ZoneId.of("UTC");

  @Test
  void cron_needs_an_expression_of_bearable_length() {
    assertThatThrownBy(() -> Trigger.cron(" ", UTC))
        .hasMessageStartingWith("trigger.cron must not be empty");
    assertThatThrownBy(() -> Trigger.cron("*".repeat(257), UTC))
        .hasMessageContaining("at most 256 characters");
  }

  @Test
  void cron_is_read_before_it_is_saved() {
    assertThatThrownBy(() -> Trigger.cron("0 60 2 * * *", UTC))
        .isInstanceOfSatisfying(
            InvalidException.class, e -> assertThat(e.field()).isEqualTo("trigger.cron"))
        .hasMessageStartingWith("trigger.cron: minute must be 0-59, but was 60, at column 2");
    assertThatThrownBy(() -> Trigger.cron("0 0 0 30 2 *", UTC)).hasMessageContaining("never");
  }

  @Test
  void cron_is_spread_by_the_job_and_every_counts_from_the_window_or_the_first_save() {
    Trigger.Cron spread = Trigger.cron("0 H H * * *", UTC);
    assertThat(spread.read(new JobId("a"), NOON).next(NOON))
        .isEqualTo(spread.read(new JobId("a"), NOON).next(NOON))
        .isNotEqualTo(spread.read(new JobId("b"), NOON).next(NOON));
    Trigger.Cron every = Trigger.cron("@every 7s", UTC);
    assertThat(every.read(new JobId("a"), NOON).next(NOON)).contains(NOON.plusSeconds(7));
    Trigger.Cron started = new Trigger.Cron(
        every.expression(),
        UTC,
        every.dst(),
        every.dialect(),
        Window.ALWAYS.from(NOON.plusSeconds(3)));
    assertThat(started.read(new JobId("a"), NOON).next(NOON)).contains(NOON.plusSeconds(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.099S", "PT87841H"})
  void every_has_bounds(String interval) {
    assertThatThrownBy(() -> Trigger.every(Duration.parse(interval)))
        .hasMessageStartingWith("trigger.every must lie between PT0.1S and PT87840H");
  }

  @Test
  void every_counts_in_whole_milliseconds() {
    assertThat(Trigger.every(Duration.ofMillis(1234)).interval())
        .isEqualTo(Duration.ofMillis(1234));
    assertThatThrownBy(() -> Trigger.every(Duration.ofSeconds(1, 1)))
        .hasMessageStartingWith("trigger.every must be whole milliseconds");
  }

  @Test
  void jitter_must_not_let_fires_overtake_each_other() {
    Window spread = Window.ALWAYS.spread(Duration.ofSeconds(30));
    assertThatThrownBy(
            () -> new Trigger.Every(Duration.ofSeconds(30), Trigger.Every.From.END, spread))
        .hasMessage(
            "trigger.jitter must be shorter than trigger.every (PT30S), because fires would overtake each other,"
                + " but was PT30S. Shorten the jitter.");
  }

  @Test
  void a_window_ends_after_it_starts() {
    assertThatThrownBy(() -> Window.ALWAYS.from(NOON).until(NOON))
        .hasMessage(
            "trigger.end must lie after trigger.start (2027-01-01T12:00:00Z), because the job would never fire,"
                + " but was 2027-01-01T12:00:00Z. Move the end, or leave it out.");
    assertThat(Window.ALWAYS.until(NOON).end()).contains(NOON);
  }

  @Test
  void a_window_has_bounded_jitter_and_a_proper_calendar() {
    assertThatThrownBy(() -> Window.ALWAYS.spread(Duration.ofHours(25)))
        .hasMessageStartingWith("trigger.jitter");
    assertThatThrownBy(() -> Window.ALWAYS.on("Working Days"))
        .hasMessageStartingWith("trigger.calendar must be");
  }
}
