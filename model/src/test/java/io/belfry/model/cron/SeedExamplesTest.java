package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The six examples that the requirements name, at exactly the times they document. */
class SeedExamplesTest {

  /** A Wednesday, at an odd second. */
  private static final LocalDateTime START = LocalDateTime.parse("2027-03-10T08:58:57");

  private static List<String> next(String expression, int count) {
    List<String> fires = new ArrayList<>();
    Cron cron = Cron.parse(expression).in(ZoneId.of("Asia/Shanghai"));
    long second = START.toEpochSecond(ZoneOffset.ofHours(8));
    for (int i = 0; i < count; i++) {
      second = cron.nextEpochSecond(second);
      fires.add(LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.ofHours(8)).toString());
    }
    return fires;
  }

  @Test
  void every_day_at_half_past_two() {
    assertThat(next("0 30 2 * * *", 3))
        .containsExactly("2027-03-11T02:30", "2027-03-12T02:30", "2027-03-13T02:30");
  }

  @Test
  void mondays_and_thursdays_at_five_in_the_afternoon() {
    assertThat(next("0 0 17 * * 1,4", 4))
        .containsExactly(
            "2027-03-11T17:00", "2027-03-15T17:00", "2027-03-18T17:00", "2027-03-22T17:00");
  }

  @Test
  void the_first_and_the_fifteenth_at_three() {
    assertThat(next("0 0 3 1,15 * *", 4))
        .containsExactly(
            "2027-03-15T03:00", "2027-04-01T03:00", "2027-04-15T03:00", "2027-05-01T03:00");
  }

  @Test
  void every_five_minutes() {
    assertThat(next("0 */5 * * * *", 4))
        .containsExactly(
            "2027-03-10T09:00", "2027-03-10T09:05", "2027-03-10T09:10", "2027-03-10T09:15");
  }

  @Test
  void every_five_seconds() {
    assertThat(next("*/5 * * * * *", 4))
        .containsExactly(
            "2027-03-10T08:59",
            "2027-03-10T08:59:05",
            "2027-03-10T08:59:10",
            "2027-03-10T08:59:15");
  }

  @Test
  void on_the_hour_from_nine_to_five() {
    assertThat(next("0 0 9-17 * * *", 11))
        .containsExactly(
            "2027-03-10T09:00",
            "2027-03-10T10:00",
            "2027-03-10T11:00",
            "2027-03-10T12:00",
            "2027-03-10T13:00",
            "2027-03-10T14:00",
            "2027-03-10T15:00",
            "2027-03-10T16:00",
            "2027-03-10T17:00",
            "2027-03-11T09:00",
            "2027-03-11T10:00");
  }

  @Test
  void the_demo_of_every_four_seconds() {
    assertThat(next("*/4 * * * * *", 3))
        .containsExactly("2027-03-10T08:59", "2027-03-10T08:59:04", "2027-03-10T08:59:08");
  }
}
