package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyntaxTest {

  /** A Friday. */
  private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");

  private static List<String> next(Cron cron, int count) {
    List<String> fires = new ArrayList<>();
    long second = START.getEpochSecond() - 1;
    for (int i = 0; i < count; i++) {
      second = cron.nextEpochSecond(second);
      fires.add(LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC).toString());
    }
    return fires;
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(delimiter = '|', textBlock = """
          30 2 * * *              | 0 30 2 * * *
          0 0 * * 0               | 0 0 * * 7
          0 0 * * 0               | 0 0 * * SUN
          0 0 * * 0               | 0 0 * * sunday
          0 0 * * 1-5             | 0 0 * * mon-Friday
          0 0 * * FRI-MON         | 0 0 * * 5,6,0,1
          0 0 * * 5-7             | 0 0 * * FRI,SAT,SUN
          0 0 * * 7-2             | 0 0 * * SUN,MON,TUE
          0 0 * * MON-SUN         | 0 0 * * 0-6
          0 0 * * 0-7             | 0 0 * * 0-6
          0 0 * * 1/2             | 0 0 * * MON,WED,FRI
          0 0 * * 7/2             | 0 0 * * SUN,TUE,THU,SAT
          0 0 * * 1-7/2           | 0 0 * * MON,WED,FRI,SUN
          0 0 * * */2             | 0 0 * * SUN,TUE,THU,SAT
          0 22-2 * * *            | 0 22,23,0,1,2 * * *
          0 22-4/2 * * *          | 0 22,0,2,4 * * *
          55-5 0 * * *            | 55,56,57,58,59,0,1,2,3,4,5 0 * * *
          0 0 28-3 * *            | 0 0 28,29,30,31,1,2,3 * *
          0 0 1 11-2 *            | 0 0 1 NOV,DEC,JAN,FEB *
          0 0 1 JAN,march *       | 0 0 1 1,3 *
          0 0 1 1/3 *             | 0 0 1 1,4,7,10 *
          10/20 0 * * *           | 10,30,50 0 * * *
          10-40/20 0 * * *        | 10,30 0 * * *
          */60 0 * * *            | 0 0 * * *
          0 0 ? * 1               | 0 0 * * 1
          0 0 1 * ?               | 0 0 1 * *
          0 0 ? * ?               | 0 0 * * *
          0 0 * * 5L              | 0 0 * * FRIL
          0 0 * * 0L              | 0 0 * * SundayL
          0 0 * * 7#2             | 0 0 * * sun#2
          0 0 lw * *              | 0 0 LW * *
          0 0 0 1 1 * *           | 0 0 0 1 1 *
          0 0 0 1 1 * 2027,2028   | 0 0 0 1 1 * 2027-2028
          0 0 */1 * MON           | 0 0 * * MON
          @yearly                 | 0 0 0 1 1 *
          @Annually               | 0 0 0 1 1 *
          @monthly                | 0 0 0 1 * *
          @weekly                 | 0 0 0 * * SUN
          @daily                  | 0 0 0 * * *
          @midnight               | 0 0 0 * * *
          @hourly                 | 0 0 * * * *
          """)
  void two_ways_to_say_the_same(String one, String other) {
    int enough = one.contains("2027") ? 2 : 40;
    assertThat(next(Cron.parse(one), enough)).isEqualTo(next(Cron.parse(other), enough));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(delimiter = '|', textBlock = """
          0 0 L * *        | 2027-01-31 2027-02-28 2027-03-31 2027-04-30
          0 0 L-3 * *      | 2027-01-28 2027-02-25 2027-03-28 2027-04-27
          0 0 L-29 * *     | 2027-01-02 2027-03-02 2027-04-01 2027-05-02
          0 0 1,L * *      | 2027-01-01 2027-01-31 2027-02-01 2027-02-28
          0 0 15W * *      | 2027-01-15 2027-02-15 2027-03-15 2027-04-15 2027-05-14 2027-06-15
          0 0 1W * *       | 2027-01-01 2027-02-01 2027-03-01 2027-04-01 2027-05-03 2027-06-01
          0 0 31W * *      | 2027-01-29 2027-03-31 2027-05-31 2027-07-30 2027-08-31 2027-10-29
          0 0 LW * *       | 2027-01-29 2027-02-26 2027-03-31 2027-04-30 2027-05-31
          0 0 L-3W * *     | 2027-01-28 2027-02-25 2027-03-29 2027-04-27
          0 0 * * FRIL     | 2027-01-29 2027-02-26 2027-03-26 2027-04-30
          0 0 * * FRI#2    | 2027-01-08 2027-02-12 2027-03-12 2027-04-09
          0 0 * * FRI#5    | 2027-01-29 2027-04-30 2027-07-30 2027-10-29
          0 0 * * 1#1,1#3  | 2027-01-04 2027-01-18 2027-02-01 2027-02-15
          0 0 13 * FRI     | 2027-01-01 2027-01-08 2027-01-13 2027-01-15 2027-01-22
          0 0 */10 * MON   | 2027-01-01 2027-01-04 2027-01-11 2027-01-18 2027-01-21
          0 0 0 29 2 *     | 2028-02-29 2032-02-29 2036-02-29
          0 0 0 ? 2 MON#5  | 2044-02-29 2072-02-29
          """)
  void days_that_need_a_calendar(String expression, String dates) {
    List<String> expected = List.of(dates.split(" ", -1));
    assertThat(next(Cron.parse(expression), expected.size()))
        .map(time -> time.substring(0, 10))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} in Quartz is {1}")
  @CsvSource(delimiter = '|', textBlock = """
          0 0 12 ? * 1        | 0 0 12 ? * SUN
          0 0 12 ? * 7        | 0 0 12 ? * SAT
          0 0 12 ? * 2-6      | 0 0 12 ? * MON-FRI
          0 0 12 ? * 6L       | 0 0 12 ? * FRIL
          0 0 12 ? * 6#3      | 0 0 12 ? * FRI#3
          0 0 12 ? * L        | 0 0 12 ? * SAT
          0 0 12 ? * 2/2      | 0 0 12 ? * MON,WED,FRI
          0 0 12 ? * */2      | 0 0 12 ? * SUN,TUE,THU,SAT
          0 0 12 * * 2        | 0 0 12 ? * MON
          0 0 12 1 * ?        | 0 0 12 1 * *
          0 12 ? * 2          | 0 12 ? * MON
          """)
  void quartz_counts_weekdays_from_sunday_as_1(String quartz, String belfry) {
    Cron read = Cron.parse(quartz, Dialect.QUARTZ);
    assertThat(read.dialect()).isEqualTo(Dialect.QUARTZ);
    assertThat(next(read, 30)).isEqualTo(next(Cron.parse(belfry), 30));
  }

  @Nested
  class H {

    private Cron of(String expression, String job) {
      return Cron.parse(expression, Dialect.BELFRY, job);
    }

    @Test
    void is_the_same_for_the_same_job_for_ever() {
      // These are on disk and in people's heads: they must not change with a release.
      assertThat(next(of("H H * * *", "nightly"), 1)).containsExactly("2027-01-01T13:38");
      assertThat(next(of("H H * * *", "invoices"), 1)).containsExactly("2027-01-01T06:09");
      assertThat(next(of("H H H H H H", "nightly"), 1)).containsExactly("2027-11-02T13:38:09");
    }

    @Test
    void spreads_a_thousand_jobs_over_all_minutes() {
      int[] jobs = new int[60];
      for (int i = 0; i < 6_000; i++) {
        String minute = next(of("H * * * *", "job-" + i), 1).getFirst().substring(14, 16);
        jobs[Integer.parseInt(minute)]++;
      }
      assertThat(Arrays.stream(jobs).boxed())
          .allSatisfy(count -> assertThat(count).isBetween(50, 150));
    }

    @Test
    void is_not_the_same_in_every_field() {
      Set<String> times = new HashSet<>();
      for (int i = 0; i < 500; i++) {
        times.add(next(of("H H * * *", "job-" + i), 1).getFirst());
      }
      assertThat(times).hasSizeGreaterThan(350);
    }

    @Test
    void stays_within_its_range_and_keeps_its_step() {
      for (int i = 0; i < 200; i++) {
        String job = "job-" + i;
        List<Integer> minutes = next(of("H(10-29)/10 0 * * *", job), 2).stream()
            .map(time -> Integer.parseInt(time.substring(14, 16)))
            .toList();
        assertThat(minutes.getFirst()).isBetween(10, 19);
        assertThat(minutes.getLast()).isEqualTo(minutes.getFirst() + 10);
        String single = next(of("H(3-4) 0 * * *", job), 1).getFirst();
        assertThat(single).isIn("2027-01-01T00:03", "2027-01-01T00:04");
        List<String> quarters = next(of("H/15 0 * * *", job), 5);
        assertThat(quarters.get(3)).startsWith("2027-01-01T00:");
        assertThat(quarters.get(4)).startsWith("2027-01-02T00:");
      }
    }

    @Test
    void chooses_days_that_every_month_has() {
      for (int i = 0; i < 200; i++) {
        List<String> days = next(of("0 0 H * *", "job-" + i), 12);
        assertThat(days).map(day -> day.substring(5, 7)).doesNotHaveDuplicates();
      }
    }
  }

  @Nested
  class Every {

    private final Cron halfMinute = Cron.parse("@every 30s");

    @Test
    void counts_from_its_anchor() {
      Instant anchor = Instant.parse("2027-01-01T00:00:07.9Z");
      Cron counted = halfMinute.from(anchor);
      assertThat(counted.next(anchor)).contains(Instant.parse("2027-01-01T00:00:37Z"));
      assertThat(counted.next(Instant.parse("2027-01-01T00:00:37Z")))
          .contains(Instant.parse("2027-01-01T00:01:07Z"));
      assertThat(counted.previous(Instant.parse("2027-01-01T00:00:37Z")))
          .contains(Instant.parse("2027-01-01T00:00:07Z"));
    }

    @Test
    void begins_at_its_anchor_and_not_before() {
      Instant anchor = Instant.parse("2027-01-01T00:00:00Z");
      Cron counted = halfMinute.from(anchor);
      assertThat(counted.next(Instant.parse("2026-06-01T00:00:00Z"))).contains(anchor);
      assertThat(counted.previous(anchor)).isEmpty();
    }

    @Test
    void counts_from_1970_if_not_told_otherwise() {
      assertThat(halfMinute.next(START)).contains(START.plusSeconds(30));
    }

    @Test
    void is_elapsed_time_whatever_the_clocks_do() {
      Cron daily = Cron.parse("@every 1d").in(ZoneId.of("America/New_York"));
      Instant anchor = Instant.parse("2027-03-13T17:00:00Z");
      List<Fire> fires = daily.from(anchor).preview(anchor, 2);
      assertThat(fires.get(0).time().toString()).startsWith("2027-03-14T13:00-04:00");
      assertThat(fires.get(0).clockChanged()).isTrue();
      assertThat(fires.get(1).clockChanged()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
      "30s,30",
      "5m,300",
      "2h,7200",
      "1d,86400",
      "1h30m,5400",
      "1d2h3m4s,93784",
      "PT30S,30",
      "P1D,86400",
      "pt1h,3600",
      "36500d,3153600000"
    })
    void reads_durations(String text, long seconds) {
      Cron every = Cron.parse("@every " + text).from(START);
      assertThat(every.nextEpochSecond(START.getEpochSecond()))
          .isEqualTo(START.getEpochSecond() + seconds);
    }

    @Test
    void ends_with_the_year_2199() {
      assertThat(halfMinute.next(Instant.parse("2199-12-31T23:59:45Z"))).isEmpty();
      assertThat(halfMinute.next(Instant.MAX)).isEmpty();
      assertThat(halfMinute.previous(Instant.MAX)).contains(Instant.parse("2199-12-31T23:59:30Z"));
    }
  }

  @Nested
  class Bounds {

    @Test
    void a_year_gone_by_is_no_mistake_but_nothing_comes_any_more() {
      Cron past = Cron.parse("0 0 0 1 1 ? 2020");
      assertThat(past.next(START)).isEmpty();
      assertThat(past.previous(START)).contains(Instant.parse("2020-01-01T00:00:00Z"));
      assertThat(past.previous(Instant.parse("2020-01-01T00:00:00Z"))).isEmpty();
      assertThat(past.preview(START, 3)).isEmpty();
    }

    @Test
    void time_has_a_beginning_and_an_end() {
      Cron cron = Cron.parse("* * * * * *");
      for (String zone : List.of("UTC", "Pacific/Kiritimati", "Pacific/Niue", "+18:00", "-18:00")) {
        Cron there = cron.in(ZoneId.of(zone));
        Instant first = there.next(Instant.MIN).orElseThrow();
        Instant last = there.previous(Instant.MAX).orElseThrow();
        assertThat(first.atZone(there.zone()).toLocalDateTime()).isEqualTo("1970-01-01T00:00:00");
        assertThat(last.atZone(there.zone()).toLocalDateTime()).isEqualTo("2199-12-31T23:59:59");
        assertThat(there.previous(first)).isEmpty();
        assertThat(there.next(last)).isEmpty();
        assertThat(there.nextEpochSecond(Long.MAX_VALUE)).isEqualTo(Cron.NEVER_AGAIN);
        assertThat(there.previousEpochSecond(Long.MIN_VALUE)).isEqualTo(Cron.NEVER_BEFORE);
      }
    }

    @Test
    void fractions_of_a_second_count() {
      Cron cron = Cron.parse("* * * * * *");
      Instant half = START.plusMillis(500);
      assertThat(cron.next(half)).contains(START.plusSeconds(1));
      assertThat(cron.previous(half)).contains(START);
      assertThat(cron.previous(START)).contains(START.minusSeconds(1));
    }
  }

  @Test
  void equal_is_what_was_read_the_same() {
    Cron cron = Cron.parse("0 30 2 * * *");
    assertThat(cron)
        .isEqualTo(Cron.parse(" 0 30 2 * * * "))
        .hasSameHashCodeAs(Cron.parse("0 30 2 * * *"));
    assertThat(cron).hasToString("0 30 2 * * *");
    assertThat(cron).isNotEqualTo(cron.in(ZoneId.of("Asia/Tokyo")));
    assertThat(cron).isNotEqualTo(cron.with(new DstRule(DstRule.Gap.SKIP, DstRule.Repeat.FIRST)));
    assertThat(Cron.parse("H * * * *", Dialect.BELFRY, "a"))
        .isNotEqualTo(Cron.parse("H * * * *", Dialect.BELFRY, "b"));
    assertThat(Cron.parse("@every 60s"))
        .isNotEqualTo(Cron.parse("@every 60s").from(START.plusSeconds(1)));
  }

  @Test
  void an_anchor_means_nothing_to_fields() {
    Cron cron = Cron.parse("0 30 2 * * *");
    assertThat(cron.from(START)).isSameAs(cron);
  }
}
