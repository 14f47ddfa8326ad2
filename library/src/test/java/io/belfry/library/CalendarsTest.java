package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import io.belfry.core.calendar.Holidays;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calendars of docs/jobs.md, as user code. */
class CalendarsTest {
  @TempDir
  Path dir;

  private Settings settings() {
    return Settings.defaults()
        .store("embedded:" + dir)
        .node("n1")
        .stopPatience(Duration.ofSeconds(5));
  }

  private static Job tick(String calendar) {
    return Job.named("tick")
        .local("noop")
        .trigger(new Trigger.Every(
            Duration.ofMillis(200), Trigger.Every.From.START, Window.ALWAYS.on(calendar)))
        .overlap(OverlapPolicy.ALLOW)
        .build();
  }

  /** Includes the adjacent days, so that the test may run at midnight. */
  private static Days today() {
    LocalDate today = LocalDate.ofInstant(Time.system().wall(), ZoneOffset.UTC);
    return new Days.Range(today.minusDays(1), today.plusDays(1));
  }

  @Test
  void a_change_takes_effect_at_once_for_every_job_that_goes_by_the_calendar() throws Exception {
    Calendar open = Calendar.everyDay("office", ZoneOffset.UTC);
    Calendar closed = open.excluding(today());
    var ran = new LinkedBlockingQueue<String>();
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.handle("noop", attempt -> ran.add(attempt.task().toString()));
      belfry.calendars().save(closed);
      belfry.jobs().save(tick("office"));
      assertThat(ran.poll(1500, TimeUnit.MILLISECONDS)).isNull();
      belfry.calendars().save(open);
      assertThat(ran.poll(60, TimeUnit.SECONDS)).isNotNull();
      belfry.calendars().save(closed);
      while (ran.poll(2, TimeUnit.SECONDS) != null) {
        // what was fired before the change
      }
      assertThat(ran.poll(1500, TimeUnit.MILLISECONDS)).isNull();
    }
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.handle("noop", attempt -> ran.add(attempt.task().toString()));
      assertThat(ran.poll(1500, TimeUnit.MILLISECONDS)).isNull();
      belfry.calendars().save(open);
      assertThat(ran.poll(60, TimeUnit.SECONDS)).isNotNull();
    }
  }

  @Test
  void a_calendar_in_use_is_kept_and_one_that_is_missing_is_refused() {
    try (Belfry belfry = Belfry.open(settings())) {
      assertThatThrownBy(() -> belfry.jobs().save(tick("office")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("must name a calendar that exists");
      belfry.calendars().save(Calendar.everyDay("office", ZoneOffset.UTC));
      belfry.jobs().save(tick("office").edit().enabled(false).build());
      assertThatThrownBy(() -> belfry.calendars().delete("office"))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("tick");
      belfry.jobs().delete("tick");
      assertThat(belfry.calendars().delete("office")).isTrue();
      assertThat(belfry.calendars().list()).isEmpty();
    }
  }

  @Test
  void a_preview_says_which_days_count_before_anything_is_saved() {
    byte[] file = "2027-01-01 New Year\n".getBytes(StandardCharsets.UTF_8);
    Calendar office = Calendar.workingDays("office", ZoneOffset.UTC, Holidays.read(file));
    try (Belfry belfry = Belfry.open(settings())) {
      LocalDate from = LocalDate.parse("2026-12-31");
      assertThat(belfry.calendars().preview(office, from, 5))
          .extracting(CalendarOperations.Day::included)
          .containsExactly(true, false, false, false, true);
      belfry.calendars().save(office);
      Calendar shift = Calendar.everyDay("shift", ZoneOffset.UTC)
          .on("office")
          .including(new Days.Range(from.plusDays(2), from.plusDays(2)));
      belfry.calendars().save(shift);
      assertThat(belfry.calendars().preview("shift", from, 5))
          .extracting(CalendarOperations.Day::included)
          .containsExactly(true, false, true, false, true);
      assertThat(belfry.calendars().get("shift")).contains(shift);
      assertThatThrownBy(() -> belfry.calendars().preview("other", from, 5))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("other");
    }
  }
}
