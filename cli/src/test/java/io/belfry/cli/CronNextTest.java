package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.cli.show.Screen;
import io.belfry.cli.verb.VerbContext;
import io.belfry.model.time.Time;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CronNextTest {
  private static final Time SUNDAY_EVENING = new Time() {
    @Override
    public Instant wall() {
      return Instant.parse("2026-11-15T21:59:59.5Z");
    }

    @Override
    public long nanos() {
      return 0;
    }
  };

  private record Ran(int exit, String out, String err) {}

  private static Ran belfry(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var around = new VerbContext(
        SUNDAY_EVENING,
        ZoneOffset.UTC,
        Map.of(),
        Path.of("nowhere"),
        InputStream.nullInputStream(),
        Screen.none(),
        new Random(7),
        wait -> {});
    int exit = Main.commandLine(
            around, List.of(), new PrintWriter(out, true), new PrintWriter(err, true), arguments)
        .execute(arguments);
    return new Ran(exit, out.toString(), err.toString());
  }

  @Nested
  class Answers {
    @Test
    void call_the_zone_of_no_offset_UTC() {
      for (String zone : List.of("Z", "UTC", "+00:00")) {
        assertThat(belfry("cron", "next", "@daily", "--zone", zone).out())
            .contains("(UTC)")
            .doesNotContain("(Z)");
      }
    }

    @Test
    void as_a_table_with_weekdays() {
      Ran ran = belfry(
          "cron", "next", "0 30 2 * * MON-FRI", "--zone", "America/New_York", "--count", "2");
      assertThat(ran.exit()).isZero();
      assertThat(ran.out().lines())
          .containsExactly(
              "every weekday at 02:30 (America/New_York)",
              "  Mon 2026-11-16 02:30:00 -05:00",
              "  Tue 2026-11-17 02:30:00 -05:00");
    }

    @Test
    void as_json_with_the_documented_fields() {
      Ran ran = belfry(
          "cron", "next", "0 30 2 * * MON-FRI", "--zone", "America/New_York", "--output", "json");
      JsonNode answer = JsonMapper.shared().readTree(ran.out());
      assertThat(answer.propertyNames())
          .containsExactly("expression", "zone", "description", "next");
      assertThat(answer.get("expression").asString()).isEqualTo("0 30 2 * * MON-FRI");
      assertThat(answer.get("zone").asString()).isEqualTo("America/New_York");
      assertThat(answer.get("description").asString()).isEqualTo("every weekday at 02:30");
      assertThat(answer.get("next").size()).isEqualTo(5);
      assertThat(answer.get("next").get(0).asString()).isEqualTo("2026-11-16T02:30:00-05:00");
    }

    @Test
    void as_yaml_and_in_chinese() {
      Ran ran = belfry(
          "cron",
          "next",
          "0 30 2 * * MON-FRI",
          "--zone",
          "Asia/Shanghai",
          "-o",
          "yaml",
          "--language",
          "chinese");
      assertThat(ran.out()).contains("zone: Asia/Shanghai").contains("02:30").contains("工作日");
    }

    @Test
    void strictly_after_the_given_time_however_it_is_written() {
      for (String after : List.of(
          "2027-01-01T00:00:00Z",
          "2027-01-01T08:00:00+08:00",
          "2027-01-01T00:00:00",
          "2027-01-01")) {
        assertThat(belfry(
                    "cron",
                    "next",
                    "0 0 0 * * *",
                    "--zone",
                    "UTC",
                    "--after",
                    after,
                    "--count",
                    "1")
                .out())
            .contains("Sat 2027-01-02 00:00:00");
      }
    }

    @Test
    void counting_from_now_for_every() {
      assertThat(belfry("cron", "next", "@every 30s", "--zone", "UTC", "--count", "2")
              .out())
          .contains("Sun 2026-11-15 22:00:29");
    }

    @Test
    void with_the_transitions_marked() {
      String zone = "America/New_York";
      assertThat(belfry(
                  "cron",
                  "next",
                  "0 30 2 * * *",
                  "--zone",
                  zone,
                  "--after",
                  "2027-03-13T12:00:00",
                  "--count",
                  "1")
              .out())
          .contains("Sun 2027-03-14 03:00:00 -04:00  moved: the clocks jump over 02:30 that day");
      assertThat(belfry(
                  "cron",
                  "next",
                  "0 30 1 * * *",
                  "--zone",
                  zone,
                  "--after",
                  "2027-11-06T12:00:00",
                  "--count",
                  "1")
              .out())
          .contains("Sun 2027-11-07 01:30:00 -04:00  the first of two");
    }

    @Test
    void without_further_times_for_a_past_year() {
      assertThat(belfry("cron", "next", "0 0 0 1 1 * 2020", "--zone", "UTC").out())
          .contains("no further fire times");
    }

    @Test
    void spread_by_the_id_of_the_job() {
      String one = belfry("cron", "next", "H H * * *", "--zone", "UTC", "--job", "nightly-a")
          .out();
      assertThat(belfry("cron", "next", "H H * * *", "--zone", "UTC", "--job", "nightly-a")
              .out())
          .isEqualTo(one);
      assertThat(belfry("cron", "next", "H H * * *", "--zone", "UTC", "--job", "nightly-b")
              .out())
          .isNotEqualTo(one);
    }

    @Test
    void in_the_dialect_of_quartz() {
      assertThat(belfry(
                  "cron",
                  "next",
                  "0 0 9 ? * 1",
                  "--dialect",
                  "quartz",
                  "--zone",
                  "UTC",
                  "--count",
                  "1")
              .out())
          .contains("Sun 2026-11-22 09:00:00");
    }
  }

  @Nested
  class ErrorHandler {
    @Test
    void point_at_the_mistake() {
      Ran ran = belfry("cron", "next", "0 60 2 * * *");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.out()).isEmpty();
      assertThat(ran.err().lines()).contains("  0 60 2 * * *", "    ^^");
    }

    @ParameterizedTest
    @CsvSource({
      "--zone, Mars, --zone must be a time zone",
      "--after, yesterday, --after must be a time",
      "--count, 0, --count must be 1 to 1000",
      "--count, 1001, --count must be 1 to 1000",
      "--count, many, --count must be a whole number",
      "--output, xml, --output must be one of"
    })
    void about_options_are_usage_errors(String option, String value, String expected) {
      Ran ran = belfry("cron", "next", "@daily", option, value);
      assertThat(ran.exit()).isEqualTo(2);
      assertThat(ran.err()).contains(expected).contains("Usage: belfry cron next");
      assertThat(ran.out()).isEmpty();
    }

    @Test
    void about_an_unknown_option_name_the_likely_one() {
      Ran ran = belfry("cron", "next", "@daily", "--cuont", "3");
      assertThat(ran.exit()).isEqualTo(2);
      assertThat(ran.err()).contains("--cuont").contains("--count");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cron", "cron next"})
    void about_what_is_missing_are_usage_errors(String command) {
      Ran ran = command.isEmpty() ? belfry() : belfry(command.split(" ", -1));
      assertThat(ran.exit()).isEqualTo(2);
      assertThat(ran.err()).contains("Usage: belfry");
    }
  }

  @Test
  void help_and_version_are_there() {
    assertThat(belfry("cron", "next", "--help").out()).contains("Examples:").contains("--zone");
    assertThat(belfry("--version").out()).contains("belfry ").contains("Java ");
  }
}
