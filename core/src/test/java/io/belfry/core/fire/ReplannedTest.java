package io.belfry.core.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Trigger.Every.From;
import io.belfry.model.job.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a job's cursor changes when its calendar does. */
class ReplannedTest {
  private static final LocalDate DAY = LocalDate.parse("2027-01-04");
  private static final Calendar ALL = Calendar.everyDay("days", ZoneOffset.UTC);
  private static final Calendar NOT_TODAY = ALL.excluding(new Days.Range(DAY, DAY));

  private static Instant at(int day, String time) {
    return Instant.parse(DAY.plusDays(day) + "T" + time + ":00Z");
  }

  private static Job job(From from, Instant saved) {
    return Job.named("report")
        .local("noop")
        .trigger(new Trigger.Every(
            Duration.ofHours(1), from, Window.ALWAYS.from(at(-3, "00:00")).on("days")))
        .saved(JobVersion.first(saved))
        .build();
  }

  private static FirePlan plan(From from, Calendar calendar) {
    return FirePlan.of(job(from, at(-2, "00:00")), Optional.of(calendar));
  }

  private static Cursor cursor(Instant next, Instant last) {
    return new Cursor(1, true, Optional.of(next), Optional.of(last), Optional.empty());
  }

  @Test
  void a_day_that_was_put_back_counts_from_the_change_on() {
    Cursor tomorrow = cursor(at(1, "00:00"), at(-1, "23:00"));
    Cursor after = plan(From.START, ALL).replanned(tomorrow, at(0, "10:20"));
    assertThat(after).isEqualTo(cursor(at(0, "11:00"), at(-1, "23:00")));
    assertThat(plan(From.START, ALL).replanned(after, at(0, "10:20"))).isEqualTo(after);
  }

  @Test
  void a_day_that_was_taken_out_is_waited_through() {
    Cursor today = cursor(at(0, "11:00"), at(0, "10:00"));
    assertThat(plan(From.START, NOT_TODAY).replanned(today, at(0, "10:20")))
        .isEqualTo(cursor(at(1, "00:00"), at(0, "10:00")));
  }

  @Test
  void what_was_due_before_the_change_stays_due() {
    Cursor late = cursor(at(0, "08:00"), at(0, "07:00"));
    assertThat(plan(From.START, NOT_TODAY).replanned(late, at(0, "10:20"))).isEqualTo(late);
  }

  @Test
  void nothing_that_had_its_outcome_or_lies_before_the_save_comes_back() {
    Cursor fired = cursor(at(1, "00:00"), at(0, "13:00"));
    assertThat(plan(From.START, ALL).replanned(fired, at(0, "10:20")).next())
        .contains(at(0, "14:00"));
    FirePlan saved = FirePlan.of(job(From.START, at(0, "12:30")), Optional.of(ALL));
    assertThat(saved
            .replanned(cursor(at(1, "00:00"), at(-1, "23:00")), at(0, "10:20"))
            .next())
        .contains(at(0, "13:00"));
  }

  @Test
  void a_job_that_had_no_day_left_begins_again_and_one_without_any_rests() {
    Calendar never = new Calendar(
        "days", ZoneOffset.UTC, Calendar.Effect.EXCLUDE, java.util.List.of(), Optional.empty());
    Cursor resting =
        plan(From.START, never).replanned(cursor(at(0, "11:00"), at(0, "10:00")), at(0, "10:20"));
    assertThat(resting.active()).isFalse();
    assertThat(resting.next()).isEmpty();
    assertThat(plan(From.START, ALL).replanned(resting, at(0, "12:20")))
        .isEqualTo(cursor(at(0, "13:00"), at(0, "10:00")));
  }

  @Test
  void a_disabled_job_is_left_as_it_is() {
    Job off = job(From.START, at(-2, "00:00")).edit().enabled(false).build();
    Cursor rests =
        new Cursor(1, false, Optional.empty(), Optional.of(at(0, "10:00")), Optional.empty());
    assertThat(FirePlan.of(off, Optional.of(ALL)).replanned(rests, at(0, "10:20")))
        .isEqualTo(rests);
  }

  @Test
  void a_fixed_delay_waits_no_longer_than_it_must_and_no_shorter() {
    Cursor tomorrow = cursor(at(1, "00:00"), at(-1, "23:00"));
    assertThat(plan(From.END, ALL).replanned(tomorrow, at(0, "10:20")).next())
        .contains(at(0, "11:20"));
    Cursor soon = cursor(at(0, "10:50"), at(0, "09:40"));
    assertThat(plan(From.END, ALL).replanned(soon, at(0, "10:20"))).isEqualTo(soon);
    assertThat(plan(From.END, NOT_TODAY).replanned(soon, at(0, "10:20")).next())
        .contains(at(1, "00:00"));
    Cursor waits = new Cursor(1, true, Optional.empty(), Optional.empty(), Optional.empty());
    assertThat(plan(From.END, ALL).replanned(waits, at(0, "10:20"))).isEqualTo(waits);
  }

  @Test
  void a_fixed_delay_whose_day_was_taken_out_is_not_fired_but_moved() {
    Cursor due = cursor(at(0, "10:50"), at(0, "09:40"));
    var nothingUnfinished = new PlanContext(0, FirePlan.OUTCOMES_MAX, Set.of());
    Plan plan = plan(From.END, NOT_TODAY)
        .plan(due, at(0, "10:51"), Duration.ofSeconds(5), nothingUnfinished);
    assertThat(plan.outcomes()).isEmpty();
    assertThat(plan.cursor()).isEqualTo(cursor(at(1, "00:00"), at(0, "09:40")));
    assertThat(plan.more()).isFalse();
  }
}
