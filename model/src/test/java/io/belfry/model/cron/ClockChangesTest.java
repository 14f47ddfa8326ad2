package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.cron.DstRule.Gap;
import io.belfry.model.cron.DstRule.Repeat;
import io.belfry.model.cron.Fire.Mark;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rule for clock changes, by examples that can be checked against a calendar. */
class ClockChangesTest {

  private static final DstRule SKIP = new DstRule(Gap.SKIP, Repeat.FIRST);
  private static final DstRule SECOND = new DstRule(Gap.NEXT, Repeat.SECOND);
  private static final DstRule BOTH = new DstRule(Gap.NEXT, Repeat.BOTH);

  /** All fires on one calendar day, on the clocks of the zone, with offset. */
  private static List<String> on(String date, String expression, String zone, DstRule rule) {
    ZoneId there = ZoneId.of(zone);
    LocalDate day = LocalDate.parse(date);
    Cron cron = Cron.parse(expression).in(there).with(rule);
    long from = day.atStartOfDay(there).toEpochSecond();
    long until = day.plusDays(1).atStartOfDay(there).toEpochSecond();
    return BruteForce.forwards(cron, from, until).stream()
        .map(second -> BruteForce.instant(second)
            .atZone(there)
            .toOffsetDateTime()
            .toString()
            .substring(11))
        .toList();
  }

  private static List<String> on(String date, String expression, String zone) {
    return on(date, expression, zone, DstRule.DEFAULT);
  }

  /** 2027-03-14 02:00 EST becomes 03:00 EDT. */
  @Nested
  class Spring_in_New_York {

    private static final String DAY = "2027-03-14";
    private static final String ZONE = "America/New_York";

    @Test
    void a_time_in_the_gap_fires_right_after_it() {
      assertThat(on(DAY, "0 30 2 * * *", ZONE)).containsExactly("03:00-04:00");
    }

    @Test
    void or_not_at_all() {
      assertThat(on(DAY, "0 30 2 * * *", ZONE, SKIP)).isEmpty();
    }

    @Test
    void many_times_in_the_gap_are_one_fire() {
      assertThat(on(DAY, "0 */10 2 * * *", ZONE)).containsExactly("03:00-04:00");
      assertThat(on(DAY, "0 0 2,3 * * *", ZONE)).containsExactly("03:00-04:00");
      assertThat(on(DAY, "0 0 1-4 * * *", ZONE))
          .containsExactly("01:00-05:00", "03:00-04:00", "04:00-04:00");
    }

    @Test
    void an_hourly_job_follows_elapsed_time() {
      assertThat(on(DAY, "0 30 0-23 * * *", ZONE)).hasSize(23).doesNotContain("03:00-04:00");
      assertThat(on(DAY, "0 30 * * * *", ZONE)).hasSize(23).contains("01:30-05:00", "03:30-04:00");
      assertThat(on(DAY, "0 0 */2 * * *", ZONE))
          .hasSize(11)
          .startsWith("00:00-05:00", "04:00-04:00", "06:00-04:00");
    }

    @Test
    void the_day_before_and_the_day_after_are_ordinary() {
      assertThat(on("2027-03-13", "0 30 2 * * *", ZONE)).containsExactly("02:30-05:00");
      assertThat(on("2027-03-15", "0 30 2 * * *", ZONE)).containsExactly("02:30-04:00");
    }
  }

  /** 2027-11-07 02:00 EDT becomes 01:00 EST. */
  @Nested
  class Autumn_in_New_York {

    private static final String DAY = "2027-11-07";
    private static final String ZONE = "America/New_York";

    @Test
    void a_time_that_comes_twice_fires_the_first_time() {
      assertThat(on(DAY, "0 30 1 * * *", ZONE)).containsExactly("01:30-04:00");
    }

    @Test
    void or_the_second_or_both() {
      assertThat(on(DAY, "0 30 1 * * *", ZONE, SECOND)).containsExactly("01:30-05:00");
      assertThat(on(DAY, "0 30 1 * * *", ZONE, BOTH)).containsExactly("01:30-04:00", "01:30-05:00");
    }

    @Test
    void an_hourly_job_follows_elapsed_time() {
      assertThat(on(DAY, "0 30 * * * *", ZONE)).hasSize(25).contains("01:30-04:00", "01:30-05:00");
      assertThat(on(DAY, "0 30 * * * *", ZONE, SECOND)).hasSize(25);
      assertThat(on(DAY, "0 0 1/2 * * *", ZONE))
          .startsWith("01:00-04:00", "01:00-05:00", "03:00-05:00");
    }
  }

  @Nested
  class Unusual_places {

    @Test
    void half_an_hour_on_lord_howe() {
      String zone = "Australia/Lord_Howe";
      assertThat(on("2027-10-03", "0 15 2 * * *", zone)).containsExactly("02:30+11:00");
      assertThat(on("2027-04-04", "0 45 1 * * *", zone, BOTH))
          .containsExactly("01:45+11:00", "01:45+10:30");
    }

    @Test
    void a_whole_day_in_samoa() {
      assertThat(on("2011-12-31", "0 30 2 * * *", "Pacific/Apia"))
          .containsExactly("00:00+14:00", "02:30+14:00");
      assertThat(on("2011-12-31", "0 30 2 * * *", "Pacific/Apia", SKIP))
          .containsExactly("02:30+14:00");
      assertThat(on("2011-12-31", "0 30 * * * FRI", "Pacific/Apia")).isEmpty();
      assertThat(on("2011-12-31", "0 30 2 30 12 *", "Pacific/Apia")).containsExactly("00:00+14:00");
    }

    @Test
    void midnight_that_does_not_exist() {
      assertThat(on("2018-11-04", "0 0 0 * * *", "America/Sao_Paulo"))
          .containsExactly("01:00-02:00");
      assertThat(on("2021-03-28", "0 30 0 * * *", "Asia/Beirut")).containsExactly("01:00+03:00");
    }

    @Test
    void midnight_that_comes_twice() {
      assertThat(on("2018-02-17", "0 30 23 * * *", "America/Sao_Paulo", BOTH))
          .containsExactly("23:30-02:00", "23:30-03:00");
    }

    @Test
    void two_hours_at_troll() {
      assertThat(on("2027-03-28", "0 30 1,2 * * *", "Antarctica/Troll"))
          .containsExactly("03:00+02:00");
      assertThat(on("2027-10-31", "0 30 1,2 * * *", "Antarctica/Troll"))
          .containsExactly("01:30+02:00", "02:30+02:00");
    }

    @Test
    void ramadan_in_casablanca() {
      assertThat(on("2026-02-15", "0 30 2 * * *", "Africa/Casablanca", BOTH))
          .containsExactly("02:30+01:00", "02:30Z");
      assertThat(on("2026-03-22", "0 30 2 * * *", "Africa/Casablanca"))
          .containsExactly("03:00+01:00");
    }

    @Test
    void seconds_in_liberia() {
      assertThat(on("1972-01-07", "0 30 0 * * *", "Africa/Monrovia")).containsExactly("00:44:30Z");
      assertThat(on("1972-01-06", "0 30 0 * * *", "Africa/Monrovia"))
          .containsExactly("00:30-00:44:30");
    }
  }

  @Nested
  class Preview {

    private List<Fire> preview(String expression, DstRule rule, String after, int count) {
      ZoneId zone = ZoneId.of("America/New_York");
      return Cron.parse(expression)
          .in(zone)
          .with(rule)
          .preview(LocalDateTime.parse(after).atZone(zone).toInstant(), count);
    }

    @Test
    void marks_what_was_moved_and_shows_what_was_meant() {
      List<Fire> fires = preview("0 30 2 * * *", DstRule.DEFAULT, "2027-03-13T00:00", 3);
      assertThat(fires).extracting(Fire::mark).containsExactly(Mark.PLAIN, Mark.MOVED, Mark.PLAIN);
      assertThat(fires).extracting(Fire::clockChanged).containsExactly(false, true, false);
      assertThat(fires)
          .extracting(fire -> fire.time().toString())
          .containsExactly(
              "2027-03-13T02:30-05:00[America/New_York]",
              "2027-03-14T03:00-04:00[America/New_York]",
              "2027-03-15T02:30-04:00[America/New_York]");
      assertThat(fires.get(1).nominal()).isEqualTo("2027-03-14T02:30:00");
      assertThat(fires)
          .extracting(Fire::weekday)
          .containsExactly(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY, DayOfWeek.MONDAY);
    }

    @Test
    void marks_where_the_clocks_changed_even_if_the_fire_was_skipped() {
      List<Fire> fires = preview("0 30 2 * * *", SKIP, "2027-03-13T00:00", 2);
      assertThat(fires).extracting(Fire::mark).containsOnly(Mark.PLAIN);
      assertThat(fires).extracting(Fire::clockChanged).containsExactly(false, true);
    }

    @Test
    void does_not_mark_a_time_that_was_meant_and_only_follows_a_gap() {
      assertThat(preview("0 0 3 * * *", DstRule.DEFAULT, "2027-03-13T12:00", 1))
          .extracting(Fire::mark)
          .containsExactly(Mark.PLAIN);
    }

    @Test
    void marks_both_of_two() {
      assertThat(preview("0 30 1 * * *", BOTH, "2027-11-06T12:00", 3))
          .extracting(Fire::mark)
          .containsExactly(Mark.FIRST_OF_TWO, Mark.SECOND_OF_TWO, Mark.PLAIN);
      assertThat(preview("0 30 * * * *", DstRule.DEFAULT, "2027-11-07T00:00", 4))
          .extracting(Fire::mark)
          .containsExactly(Mark.PLAIN, Mark.FIRST_OF_TWO, Mark.SECOND_OF_TWO, Mark.PLAIN);
    }

    @Test
    void is_what_next_says() {
      Cron cron = Cron.parse("0 */20 1-3 * * *").in(ZoneId.of("America/New_York"));
      List<Fire> fires = cron.preview(BruteForce.instant(1_804_900_000L), 100);
      long second = 1_804_900_000L;
      for (Fire fire : fires) {
        second = cron.nextEpochSecond(second);
        assertThat(fire.at().getEpochSecond()).isEqualTo(second);
      }
      assertThat(fires).hasSize(100).extracting(Fire::mark).contains(Mark.MOVED);
    }
  }
}
