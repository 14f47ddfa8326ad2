package io.belfry.core.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import io.belfry.core.calendar.Holidays;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.Timetable;
import io.belfry.testkit.Seeds;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TimetablesTest {
  private static final Instant SAVED = Instant.parse("2027-01-01T00:00:00.000400Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Calendar NEVER =
      new Calendar("days", BERLIN, Calendar.Effect.EXCLUDE, List.of(), Optional.empty());

  @Nested
  class Every {
    @Test
    void counts_from_the_first_save_in_whole_milliseconds() {
      Timetable table = of(Trigger.every(Duration.ofSeconds(30)));
      assertThat(table.next(SAVED)).contains(at("2027-01-01T00:00:30Z"));
      assertThat(table.next(at("2027-01-01T00:00:30Z"))).contains(at("2027-01-01T00:01:00Z"));
      assertThat(table.previous(at("2027-01-01T00:00:30Z"))).contains(at("2027-01-01T00:00:00Z"));
      assertThat(table.previous(at("2027-01-01T00:00:30.000000001Z")))
          .contains(at("2027-01-01T00:00:30Z"));
      assertThat(table.previous(at("2027-01-01T00:00:00Z"))).isEmpty();
      assertThat(table.next(at("2126-12-31T23:59:59Z"))).isPresent();
    }

    @Test
    void counts_from_the_window_and_ends_with_it() {
      Instant start = at("2027-02-01T00:00:00Z");
      Instant end = at("2027-02-01T00:01:00Z");
      Timetable table = of(new Trigger.Every(
          Duration.ofSeconds(30),
          Trigger.Every.From.START,
          Window.ALWAYS.from(start).until(end)));
      assertThat(table.next(SAVED)).contains(start);
      assertThat(table.next(start.plusSeconds(30))).isEmpty();
      assertThat(table.previous(end.plusSeconds(1000))).contains(start.plusSeconds(30));
      assertThat(table.previous(start)).isEmpty();
    }

    @Test
    void beyond_what_can_name_a_task_nothing_is_due() {
      Timetable table = of(Trigger.every(Duration.ofDays(1)));
      assertThat(table.next(Instant.MAX)).isEmpty();
      assertThat(table.next(Instant.MIN)).isPresent();
      assertThat(table.previous(Instant.MAX)).isPresent();
      assertThat(table.previous(Instant.MIN)).isEmpty();
      assertThat(of(new Trigger.At(Instant.MAX)).next(SAVED)).isEmpty();
    }
  }

  @Nested
  class Cron {
    @Test
    void follows_its_zone_and_window() {
      Timetable table = of(cron(
          "0 0 9 * * *",
          Window.ALWAYS.from(at("2027-03-27T08:00:00Z")).until(at("2027-03-29T07:00:00Z"))));
      assertThat(table.next(SAVED)).contains(at("2027-03-27T08:00:00Z"));
      assertThat(table.next(at("2027-03-27T08:00:00Z"))).contains(at("2027-03-28T07:00:00Z"));
      assertThat(table.next(at("2027-03-28T07:00:00Z"))).isEmpty();
      assertThat(table.previous(at("2028-01-01T00:00:00Z"))).contains(at("2027-03-28T07:00:00Z"));
      assertThat(table.previous(at("2027-03-27T08:00:00Z"))).isEmpty();
    }

    @Test
    void at_every_counts_from_the_first_save() {
      assertThat(of(cron("@every 1h", Window.ALWAYS)).next(SAVED))
          .contains(at("2027-01-01T01:00:00Z"));
    }
  }

  @Nested
  class Others {
    @Test
    void at_is_one_instant_and_never_early() {
      Timetable table = of(new Trigger.At(SAVED));
      Instant rounded = at("2027-01-01T00:00:00.001Z");
      assertThat(table.next(SAVED)).contains(rounded);
      assertThat(table.next(rounded)).isEmpty();
      assertThat(table.previous(rounded)).isEmpty();
      assertThat(table.previous(rounded.plusMillis(1))).contains(rounded);
    }

    @Test
    void manual_after_and_fixed_delay_have_no_timetable() {
      for (Trigger trigger : List.of(
          new Trigger.Manual(),
          new Trigger.After(new JobId("other"), Trigger.After.Outcome.FAILED),
          new Trigger.Every(Duration.ofHours(1), Trigger.Every.From.END, Window.ALWAYS))) {
        assertThat(of(trigger).next(SAVED)).isEmpty();
        assertThat(of(trigger).previous(Instant.MAX)).isEmpty();
      }
    }

    @Test
    void a_calendar_that_is_missing_is_refused() {
      assertThatThrownBy(() -> of(cron("0 0 9 * * *", Window.ALWAYS.on("days"))))
          .hasMessageStartingWith("trigger.calendar must name a calendar that exists");
    }
  }

  @Nested
  class Calendars {
    private final Calendar office = Calendar.workingDays("days", ZoneOffset.UTC, Holidays.NONE);

    @Test
    void take_days_out_in_the_zone_of_the_trigger() {
      // Half past midnight in Berlin is still the day before in UTC, the calendar's own zone.
      Timetable table = of(cron("0 30 0 * * *", Window.ALWAYS.on("days")), office);
      assertThat(table.next(at("2027-01-07T23:30:00Z"))).contains(at("2027-01-10T23:30:00Z"));
      assertThat(table.previous(at("2027-01-10T23:30:00Z"))).contains(at("2027-01-07T23:30:00Z"));
    }

    @Test
    void use_their_own_zone_where_the_trigger_has_none() {
      Timetable table = of(
          new Trigger.Every(
              Duration.ofHours(6),
              Trigger.Every.From.START,
              Window.ALWAYS.from(at("2027-01-01T00:00:00Z")).on("days")),
          office);
      assertThat(table.next(at("2027-01-01T18:00:00Z"))).contains(at("2027-01-04T00:00:00Z"));
      assertThat(table.previous(at("2027-01-04T00:00:00Z"))).contains(at("2027-01-01T18:00:00Z"));
    }

    @Test
    void that_exclude_everything_end_in_bounded_work() {
      Counting all = new Counting(EvenTimetable.since(SAVED, Duration.ofMillis(100)));
      Timetable table = new CalendarTimetable(all, NEVER, BERLIN);
      assertThat(table.next(SAVED)).isEmpty();
      assertThat(table.previous(at("2099-01-01T00:00:00Z"))).isEmpty();
      assertThat(all.asked()).isLessThanOrEqualTo(6);
    }

    @Test
    void wait_for_the_leap_day_that_is_a_sunday_also_over_2100() {
      Calendar sundays = NEVER.including(new Days.Weekly(Set.of(DayOfWeek.SUNDAY)));
      Timetable table = of(cron("0 0 12 29 2 ?", Window.ALWAYS.on("days")), sundays);
      assertThat(table.next(at("2088-03-01T00:00:00Z"))).contains(at("2128-02-29T11:00:00Z"));
      assertThat(table.previous(at("2128-02-29T11:00:00Z"))).contains(at("2088-02-29T11:00:00Z"));
    }

    @Test
    void move_a_fixed_delay_to_the_next_included_day() {
      Trigger trigger = new Trigger.Every(
          Duration.ofHours(1),
          Trigger.Every.From.END,
          Window.ALWAYS.on("days").until(at("2027-01-11T00:00:00Z")));
      FixedDelay delay = FixedDelay.of(job(trigger), Optional.of(office)).orElseThrow();
      assertThat(delay.afterEnd(at("2027-01-01T10:00:00.000001Z")))
          .contains(at("2027-01-01T11:00:00.001Z"));
      assertThat(delay.afterEnd(at("2027-01-01T23:30:00Z"))).contains(at("2027-01-04T00:00:00Z"));
      assertThat(delay.afterEnd(at("2027-01-08T23:00:00Z"))).isEmpty();
      assertThat(FixedDelay.of(job(trigger), Optional.of(NEVER)).orElseThrow().afterEnd(SAVED))
          .isEmpty();
    }
  }

  @Test
  void both_directions_agree_and_leave_nothing_out() {
    Seeds.each(300, random -> {
      Calendar calendar = anyCalendar(random);
      Trigger trigger = anyTrigger(random);
      Timetable plain = of(withoutCalendar(trigger));
      Timetable table = of(trigger, calendar);
      ZoneId zone = trigger instanceof Trigger.Cron cron ? cron.zone() : calendar.zone();
      Instant at = SAVED.plusSeconds(random.nextInt(400 * 86_400));
      Instant expected = at;
      for (int i = 0; i < 30; i++) {
        // By going through every instant, what the calendar leaves.
        do {
          expected = plain.next(expected).orElseThrow();
        } while (!calendar.includes(LocalDate.ofInstant(expected, zone)));
        Optional<Instant> next = table.next(at);
        assertThat(next).as("after %s by %s on %s", at, trigger, calendar).contains(expected);
        if (i > 0) {
          assertThat(table.previous(expected)).contains(at);
        }
        assertThat(table.previous(expected.plusNanos(1))).contains(expected);
        at = expected;
      }
    });
  }

  @Test
  void the_jitter_is_spread_over_its_length_and_the_same_for_everybody() {
    Duration jitter = Duration.ofSeconds(10);
    JobId job = new JobId("nightly");
    long sum = 0;
    for (int i = 0; i < 10_000; i++) {
      Instant scheduled = SAVED.plusSeconds(i);
      Duration offset = Timetables.offset(job, scheduled, jitter);
      assertThat(offset).isBetween(Duration.ZERO, jitter);
      assertThat(Timetables.offset(new JobId("nightly"), scheduled, jitter)).isEqualTo(offset);
      sum += offset.toMillis();
    }
    assertThat(sum / 10_000).isBetween(4_800L, 5_200L);
    assertThat(Timetables.offset(job, SAVED, Duration.ZERO)).isZero();
    assertThat(Timetables.offset(job, SAVED, Duration.ofMillis(1)).toMillis()).isBetween(0L, 1L);
  }

  private static Trigger anyTrigger(RandomGenerator random) {
    Window window = Window.ALWAYS.on("days");
    ZoneId zone =
        ZoneId.of(Seeds.oneOf(random, "UTC", "Europe/Berlin", "America/Havana", "Asia/Amman"));
    return random.nextBoolean()
        ? new Trigger.Every(
            Duration.ofMinutes(random.nextInt(20, 4_000)), Trigger.Every.From.START, window)
        : new Trigger.Cron(
            Seeds.oneOf(
                random, "0 0 * * * *", "0 30 0 * * *", "0 0 12 * * MON,SUN", "0 59 23 1-9 * ?"),
            zone,
            DstRule.DEFAULT,
            Dialect.BELFRY,
            window);
  }

  private static Trigger withoutCalendar(Trigger trigger) {
    return switch (trigger) {
      case Trigger.Cron cron ->
        new Trigger.Cron(cron.expression(), cron.zone(), cron.dst(), cron.dialect(), Window.ALWAYS);
      case Trigger.Every every -> new Trigger.Every(every.interval(), every.from(), Window.ALWAYS);
      default -> throw new AssertionError(trigger);
    };
  }

  /** Excludes whole weeks, but not all Sundays. */
  private static Calendar anyCalendar(RandomGenerator random) {
    EnumSet<DayOfWeek> days = EnumSet.of(DayOfWeek.SUNDAY, DayOfWeek.of(1 + random.nextInt(7)));
    Calendar calendar = new Calendar(
            "days",
            ZoneId.of("America/Havana"),
            Calendar.Effect.EXCLUDE,
            List.of(),
            Optional.empty())
        .including(new Days.Weekly(days));
    LocalDate from = LocalDate.ofInstant(SAVED, ZoneOffset.UTC).plusDays(random.nextInt(400));
    return calendar.excluding(new Days.Range(from, from.plusDays(random.nextInt(30))));
  }

  private static Trigger.Cron cron(String expression, Window window) {
    return new Trigger.Cron(expression, BERLIN, DstRule.DEFAULT, Dialect.BELFRY, window);
  }

  private static Timetable of(Trigger trigger) {
    return Timetables.of(job(trigger), Optional.empty());
  }

  private static Timetable of(Trigger trigger, Calendar calendar) {
    return Timetables.of(job(trigger), Optional.of(calendar));
  }

  private static Job job(Trigger trigger) {
    return Job.named("nightly")
        .trigger(trigger)
        .local("work")
        .saved(JobVersion.first(SAVED))
        .build();
  }

  private static Instant at(String text) {
    return Instant.parse(text);
  }
}
