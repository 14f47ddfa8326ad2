package io.belfry.core.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.belfry.model.InvalidException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HolidaysTest {

  @Nested
  class Plain_lines {
    @Test
    void hold_a_day_and_perhaps_a_name() {
      Holidays read = read("""
          \uFEFF# public holidays

          2027-01-01   New Year  # a comment
          2027-12-24/2027-12-26\tChristmas
          05-01 Labour Day
          2027-10-03
          """);

      assertThat(read.dates())
          .containsExactly(
              entry(day("2027-01-01"), "New Year"),
              entry(day("2027-10-03"), ""),
              entry(day("2027-12-24"), "Christmas"),
              entry(day("2027-12-25"), "Christmas"),
              entry(day("2027-12-26"), "Christmas"));
      assertThat(read.yearly()).containsExactly(entry(MonthDay.of(5, 1), "Labour Day"));
      assertThat(read.name(day("2030-05-01"))).contains("Labour Day");
      assertThat(read.name(day("2030-05-02"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
      "2027-02-30 No such day, 2027-02-30",
      "01.05.2027, 01.05.2027",
      "13-01, 13-01",
      "2027-01-01/2027-01-02/2027-01-03, 2027-01-01/2027-01-02/2027-01-03",
      "Christmas, Christmas"
    })
    void that_are_no_day_are_refused_with_their_number(String line, String word) {
      assertThatThrownBy(() -> read("2027-01-01\n\n" + line))
          .isInstanceOf(InvalidException.class)
          .hasMessageStartingWith("calendar.file line 3: a line must begin with a day that exists")
          .hasMessageContaining("\"" + word + "\"");
    }

    @Test
    void that_run_backwards_or_too_far_are_refused() {
      assertThatThrownBy(() -> read("2027-01-02/2027-01-01"))
          .hasMessageStartingWith("calendar.file line 1: the last day (2027-01-01)");
      assertThatThrownBy(() -> read("2027-01-01\n2027-01-01/2099-01-01"))
          .hasMessageStartingWith("calendar.file line 2: the file must hold at most 10000 days");
    }
  }

  @Nested
  class Calendar_events {
    @Test
    void are_whole_days_once_or_every_year() {
      Holidays read = read(calendar("""
          BEGIN:VTIMEZONE
          BEGIN:STANDARD
          RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
          END:STANDARD
          END:VTIMEZONE
          BEGIN:VEVENT
          UID:1
          DTSTART;VALUE=DATE:20271224
          DTEND;VALUE=DATE:20271227
          SUMMARY;LANGUAGE=en:Christmas\\, three
            days
          BEGIN:VALARM
          DURATION:PT15M
          END:VALARM
          END:VEVENT
          BEGIN:VEVENT
          DTSTART;VALUE=DATE:20200501
          RRULE:FREQ=YEARLY
          SUMMARY:Labour Day
          END:VEVENT
          BEGIN:VEVENT
          DTSTART:20270606
          STATUS:CANCELLED
          END:VEVENT
          """));

      assertThat(read.dates())
          .containsExactly(
              entry(day("2027-12-24"), "Christmas, three days"),
              entry(day("2027-12-25"), "Christmas, three days"),
              entry(day("2027-12-26"), "Christmas, three days"));
      assertThat(read.yearly()).containsExactly(entry(MonthDay.of(5, 1), "Labour Day"));
    }

    @Test
    void may_end_on_the_day_they_begin() {
      assertThat(read(event("DTSTART;VALUE=DATE:20270101\nDTEND;VALUE=DATE:20270101"))
              .dates())
          .containsOnlyKeys(day("2027-01-01"));
    }

    @ParameterizedTest
    @CsvSource({
      "DTSTART:20270101T080000Z, DTSTART must be a whole day",
      "DTSTART;VALUE=DATE:20270230, DTSTART must be a whole day",
      "RRULE:FREQ=WEEKLY, RRULE must be FREQ=YEARLY",
      "RRULE:FREQ=YEARLY;COUNT=3, RRULE must be FREQ=YEARLY",
      "EXDATE;VALUE=DATE:20270101, EXDATE is not supported",
      "DURATION:P2D, DURATION is not supported",
      "DTSTART, a line must have a colon",
      "END:VALARM, END:VALARM must close"
    })
    void that_mean_days_which_are_not_understood_are_refused(String line, String message) {
      assertThatThrownBy(() -> read(event("SUMMARY:folded\n  line\n" + line)))
          .isInstanceOf(InvalidException.class)
          .hasMessageStartingWith("calendar.file line 5: " + message);
    }

    @Test
    void without_a_beginning_or_cut_off_are_refused() {
      assertThatThrownBy(() -> read(event("SUMMARY:nothing")))
          .hasMessageStartingWith("calendar.file line 2: the event must have DTSTART");
      assertThatThrownBy(() -> read("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20270101"))
          .hasMessageStartingWith("calendar.file line 3: END:VEVENT must follow");
      assertThatThrownBy(() -> read("BEGIN:VCALENDAR\n" + "BEGIN:X\n".repeat(100)))
          .hasMessageContaining("nested deeper");
    }

    private String event(String properties) {
      return calendar("BEGIN:VEVENT\n" + properties + "\nEND:VEVENT\n");
    }

    private String calendar(String content) {
      return ("BEGIN:VCALENDAR\n" + content + "END:VCALENDAR\n").replace("\n", "\r\n");
    }
  }

  @Test
  void a_file_has_a_size_and_is_text() {
    assertThatThrownBy(() -> Holidays.read(new byte[Holidays.BYTES_MAX + 1]))
        .hasMessageContaining("at most 1048576 bytes");
    assertThatThrownBy(() -> Holidays.read(new byte[] {(byte) 0xC3, 0x28}))
        .hasMessageContaining("must be UTF-8");
    assertThat(read("")).isEqualTo(Holidays.NONE);
  }

  @Test
  void any_bytes_are_read_or_refused_with_a_line() {
    SplittableRandom random = new SplittableRandom(20_270_101);
    String[] words = {
      "BEGIN:VCALENDAR",
      "BEGIN:VEVENT",
      "END:VEVENT",
      "DTSTART:2027",
      "0101",
      ":",
      ";",
      "/",
      "2027-01-01",
      "-",
      "\n",
      "\n",
      " ",
      "RRULE:",
      "FREQ=YEARLY",
      "12-25",
      "#",
      "\uD83C\uDF84"
    };
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "BEGIN:VCALENDAR\n" : "");
      for (int n = random.nextInt(12); n > 0; n--) {
        text.append(words[random.nextInt(words.length)]);
      }
      try {
        assertThat(read(text.toString()).dates().size()).isLessThanOrEqualTo(Calendar.DATES_MAX);
      } catch (InvalidException e) {
        refused++;
        assertThat(e).hasMessageMatching("(?s)calendar\\.file line \\d+: .*");
      }
    }
    assertThat(refused).isBetween(1_000, 19_999);
  }

  private static Holidays read(String text) {
    return Holidays.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static LocalDate day(String text) {
    return LocalDate.parse(text);
  }
}
