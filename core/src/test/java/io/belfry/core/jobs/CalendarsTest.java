package io.belfry.core.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import io.belfry.core.keys.CalendarKeys;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.CalendarChange;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CalendarsTest extends JobsDoor {
  private static final LocalDate NEW_YEAR = LocalDate.parse("2027-01-01");

  private final Calendars calendars = new Calendars(loop, store);

  private static Calendar every(String name) {
    return Calendar.everyDay(name, ZoneOffset.UTC);
  }

  private static Calendar none(String name) {
    return new Calendar(name, ZoneOffset.UTC, Calendar.Effect.EXCLUDE, List.of(), Optional.empty());
  }

  private static Job job(String id, String calendar) {
    return Job.named(id)
        .local("noop")
        .trigger(new Trigger.Every(
            Duration.ofHours(1), Trigger.Every.From.START, Window.ALWAYS.on(calendar)))
        .build();
  }

  private void put(Calendar calendar) {
    assertThat(await(calendars.put(calendar))).isEqualTo(calendar);
  }

  private Cursor cursor(String id) {
    return Records.cursor(entry(Keys.cursor(new JobId(id))).orElseThrow().value());
  }

  @Nested
  class Saving {
    @Test
    void a_calendar_is_read_back_as_it_was_saved() {
      Calendar office = every("office").excluding(new Days.Dates(Set.of(NEW_YEAR)));
      put(office);
      put(every("all"));
      assertThat(await(calendars.get("office"))).contains(office);
      assertThat(await(calendars.get("other"))).isEmpty();
      assertThat(await(calendars.list())).containsExactly(every("all"), office);
    }

    @Test
    void only_a_change_leaves_something_to_do_and_the_same_again_does_not() {
      put(every("office"));
      assertThat(entry(CalendarKeys.change("office"))).isEmpty();
      put(none("office"));
      Entry change = entry(CalendarKeys.change("office")).orElseThrow();
      put(none("office"));
      assertThat(entry(CalendarKeys.change("office")).orElseThrow().revision())
          .isEqualTo(change.revision());
    }

    @Test
    void of_several_changes_the_oldest_says_since_when() {
      put(every("office"));
      Instant then = Instant.parse("2020-01-01T00:00:00Z");
      Commit earlier = Commit.when()
          .put(CalendarKeys.change("office"), Records.encode(new CalendarChange(then)))
          .build();
      assertThat(await(store.commit(earlier))).isInstanceOf(Outcome.Done.class);
      put(none("office"));
      assertThat(Records.calendarChange(
              entry(CalendarKeys.change("office")).orElseThrow().value()))
          .isEqualTo(new CalendarChange(then));
    }

    @Test
    void a_base_must_exist_and_must_not_lead_back() {
      assertThatThrownBy(() -> put(every("office").on("country")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("calendar.base")
          .hasMessageContaining("country");
      put(every("country"));
      put(every("office").on("country"));
      assertThatThrownBy(() -> put(every("country").on("office")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("cycle");
      assertThat(await(calendars.get("country"))).contains(every("country"));
    }

    @Test
    void what_rests_on_a_calendar_bounds_it_too() {
      put(every("country"));
      put(every("office").on("country").excluding(dates(6000)));
      assertThatThrownBy(() -> put(every("country").excluding(dates(6000))))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("at most " + Calendar.DATES_MAX);
      assertThatThrownBy(() -> every("large").excluding(dates(Calendar.DATES_MAX + 1)))
          .isInstanceOf(InvalidException.class);
    }

    private static Days dates(int count) {
      var dates = new HashSet<LocalDate>();
      for (int i = 0; i < count; i++) {
        dates.add(NEW_YEAR.plusDays(i));
      }
      return new Days.Dates(dates);
    }

    @Test
    void there_are_not_more_than_a_leader_keeps() {
      for (int i = 0; i < Calendars.CALENDARS_MAX; i++) {
        put(every("c" + i));
      }
      assertThatThrownBy(() -> put(every("over")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("at most " + Calendars.CALENDARS_MAX);
      put(none("c0"));
    }
  }

  @Nested
  class Using {
    @Test
    void a_job_names_a_calendar_that_exists() {
      assertThatThrownBy(() -> await(jobs.put(job("report", "office"))))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("trigger.calendar")
          .hasMessageContaining("office");
      assertThat(await(jobs.get(new JobId("report")))).isEmpty();
      put(every("office"));
      await(jobs.put(job("report", "office")));
      assertThat(entry(CalendarKeys.user("office", new JobId("report")))).isPresent();
    }

    @Test
    void a_job_that_could_never_fire_by_it_is_refused() {
      put(none("never"));
      assertThatThrownBy(() -> await(jobs.put(job("report", "never"))))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("can never fire");
    }

    @Test
    void the_first_fire_is_on_a_day_that_counts() {
      LocalDate today = LocalDate.ofInstant(Time.system().wall(), ZoneOffset.UTC);
      put(every("office").excluding(new Days.Range(today.minusDays(1), today.plusDays(2))));
      await(jobs.put(job("report", "office")));
      assertThat(LocalDate.ofInstant(cursor("report").next().orElseThrow(), ZoneOffset.UTC))
          .isAfter(today.plusDays(2));
    }

    @Test
    void a_job_that_changes_before_the_leader_has_come_to_it_goes_by_the_new_days() {
      LocalDate today = LocalDate.ofInstant(Time.system().wall(), ZoneOffset.UTC);
      put(every("office").excluding(new Days.Range(today.minusDays(1), today.plusDays(2))));
      await(jobs.put(job("report", "office")));
      put(every("office"));
      await(jobs.put(job("report", "office").edit().description("new").build()));
      assertThat(LocalDate.ofInstant(cursor("report").next().orElseThrow(), ZoneOffset.UTC))
          .isBefore(today.plusDays(2));
    }
  }

  @Nested
  class Deleting {
    @Test
    void what_jobs_go_by_is_kept_and_they_are_named() {
      put(every("office"));
      await(jobs.put(job("report", "office")));
      await(jobs.put(job("invoice", "office")));
      assertThatThrownBy(() -> await(calendars.delete("office")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("invoice, report");
      await(
          jobs.put(Job.named("report").local("noop").every(Duration.ofHours(1)).build()));
      assertThat(await(jobs.delete(new JobId("invoice")))).isTrue();
      assertThat(await(calendars.delete("office"))).isTrue();
      assertThat(await(calendars.delete("office"))).isFalse();
      assertThat(await(calendars.list())).isEmpty();
    }

    @Test
    void what_another_rests_on_is_kept() {
      put(every("country"));
      put(every("office").on("country"));
      assertThatThrownBy(() -> await(calendars.delete("country")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("office");
      assertThat(await(calendars.delete("office"))).isTrue();
      assertThat(await(calendars.delete("country"))).isTrue();
    }
  }
}
