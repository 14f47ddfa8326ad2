package io.belfry.core.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Holidays;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Trigger.Every.From;
import io.belfry.model.job.Window;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Why a job fired at an instant or not, for each answer there is. */
class FactsTest {
  private static final JobId ID = new JobId("report");
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Instant NOW = at("06T12:20"); // a Wednesday

  private Optional<Task> task = Optional.empty();
  private Optional<SkippedRange> skip = Optional.empty();
  private Optional<Job> job = Optional.of(hourly(Window.ALWAYS).build());
  private Optional<Cursor> cursor = Optional.of(cursor(at("06T13:00"), at("06T12:00")));
  private Optional<Calendar> calendar = Optional.empty();
  private Optional<String> paused = Optional.empty();

  private static Instant at(String dayAndTime) {
    return Instant.parse("2027-01-" + dayAndTime + ":00Z");
  }

  private static JobBuilder job() {
    return Job.named(ID.value()).local("noop").saved(JobVersion.first(at("01T00:00")));
  }

  private static JobBuilder hourly(Window window) {
    return job()
        .trigger(new Trigger.Every(
            Duration.ofHours(1),
            From.START,
            window.start().isEmpty() ? window.from(at("01T00:00")) : window));
  }

  private static Cursor cursor(Instant next, Instant last) {
    return new Cursor(1, true, Optional.of(next), Optional.of(last), Optional.empty());
  }

  private Explanation explain(String dayAndTime) {
    return new Facts(ID, at(dayAndTime), NOW, task, skip, job, cursor, calendar, paused, WEEK)
        .explain();
  }

  @Test
  void it_fired() {
    TaskId id = TaskId.fire(ID, at("06T12:00"));
    task = Optional.of(Task.pending(
        id, job.orElseThrow().work(), Priority.NORMAL, at("06T12:00"), at("06T12:00")));
    assertThat(explain("06T12:00")).isEqualTo(new Explanation.Fired(id, StateName.PENDING));
    assertThat(explain("06T12:00").sentence()).isEqualTo("It fired: task " + id + " is pending.");
  }

  @Test
  void it_was_skipped_alone_or_in_a_row() {
    var one = new SkippedRange(at("06T10:00"), at("06T10:00"), 1, true, SkipReason.OVERLAP);
    skip = Optional.of(one);
    assertThat(explain("06T10:00")).isEqualTo(new Explanation.Skipped(one));
    assertThat(explain("06T10:00").sentence())
        .isEqualTo("It was skipped, because the previous task of the job had not finished.");
    var row = new SkippedRange(at("06T08:00"), at("06T11:00"), 4, true, SkipReason.TOO_OLD);
    skip = Optional.of(row);
    assertThat(explain("06T10:00")).isEqualTo(new Explanation.Skipped(row));
    assertThat(explain("06T10:00").sentence()).contains("4 in total");
    assertThat(explain("06T10:30")).isInstanceOf(Explanation.NotAFireTime.class);
    assertThat(explain("06T14:00")).isInstanceOf(Explanation.NotYetDue.class);
  }

  @Test
  void there_is_no_such_job() {
    job = Optional.empty();
    assertThat(explain("06T10:00")).isEqualTo(new Explanation.NoJob(ID));
    assertThat(explain("06T10:00").sentence()).contains("report");
  }

  @Test
  void it_is_not_a_fire_time() {
    Explanation why = explain("06T10:30");
    assertThat(why)
        .isEqualTo(
            new Explanation.NotAFireTime(Optional.of(at("06T10:00")), Optional.of(at("06T11:00"))));
    assertThat(why.sentence()).contains("2027-01-06T10:00:00Z", "2027-01-06T11:00:00Z");
  }

  @Test
  void it_lies_outside_the_window() {
    job = Optional.of(
        hourly(Window.ALWAYS.from(at("06T09:00")).until(at("06T20:00"))).build());
    assertThat(explain("06T08:00")).isEqualTo(new Explanation.BeforeStart(at("06T09:00")));
    assertThat(explain("06T20:00")).isEqualTo(new Explanation.AfterEnd(at("06T20:00")));
    assertThat(explain("06T19:00")).isInstanceOf(Explanation.NotYetDue.class);
    assertThat(explain("06T08:00").sentence()).contains("2027-01-06T09:00:00Z");
    assertThat(explain("06T20:00").sentence()).contains("2027-01-06T20:00:00Z");
  }

  @Test
  void the_calendar_excludes_the_day() {
    job = Optional.of(hourly(Window.ALWAYS.on("office")).build());
    calendar = Optional.of(Calendar.workingDays("office", ZoneOffset.UTC, Holidays.NONE));
    assertThat(explain("09T10:00"))
        .isEqualTo(new Explanation.Excluded("office", LocalDate.parse("2027-01-09")));
    assertThat(explain("09T10:00").sentence()).contains("office", "Saturday 2027-01-09");
    assertThat(explain("11T10:00")).isInstanceOf(Explanation.NotYetDue.class);
  }

  @Test
  void the_job_is_disabled() {
    job = Optional.of(hourly(Window.ALWAYS).enabled(false).build());
    cursor = Optional.of(
        new Cursor(1, false, Optional.empty(), Optional.of(at("06T11:00")), Optional.empty()));
    assertThat(explain("06T12:00")).isEqualTo(new Explanation.Disabled());
    assertThat(explain("06T18:00")).isEqualTo(new Explanation.Disabled());
    assertThat(explain("06T18:00").sentence()).contains("disabled");
  }

  @Test
  void the_namespace_is_paused() {
    paused = Optional.of("moving house");
    cursor = Optional.of(cursor(at("06T12:00"), at("06T11:00")));
    assertThat(explain("06T12:00")).isEqualTo(new Explanation.Paused("moving house"));
    assertThat(explain("06T13:00").sentence()).contains("moving house");
  }

  @Test
  void it_is_not_due_yet_or_due_right_now() {
    assertThat(explain("06T13:00"))
        .isEqualTo(new Explanation.NotYetDue(at("06T13:00"), Duration.ofMinutes(40)));
    assertThat(explain("06T13:00").sentence()).contains("2027-01-06T13:00:00Z", "in 40m.");
    cursor = Optional.of(cursor(at("06T12:00"), at("06T11:00")));
    assertThat(explain("06T12:00")).isEqualTo(new Explanation.DueNow(at("06T12:00")));
    assertThat(explain("06T12:00").sentence()).contains("leader");
  }

  @Test
  void it_is_over_and_nothing_of_it_is_kept() {
    job = Optional.of(hourly(Window.ALWAYS).retainLast(1).build());
    cursor = Optional.of(cursor(at("06T13:00"), at("06T12:00")));
    assertThat(explain("06T11:00")).isEqualTo(new Explanation.NotKept(at("06T12:00")));
    assertThat(explain("06T11:00").sentence()).contains("no longer stored", "2027-01-06T12:00:00Z");
  }

  @Test
  void it_waits_for_another_job_or_for_somebody() {
    job = Optional.of(job().after("extract", Trigger.After.Outcome.SUCCEEDED).build());
    assertThat(explain("06T12:00"))
        .isEqualTo(new Explanation.AfterJob(new JobId("extract"), Trigger.After.Outcome.SUCCEEDED));
    assertThat(explain("06T12:00").sentence()).contains("extract", "succeeded");
    job = Optional.of(job().trigger(new Trigger.Manual()).build());
    assertThat(explain("06T12:00")).isEqualTo(new Explanation.OnlyWhenAsked());
    assertThat(explain("06T12:00").sentence()).contains("triggered by hand");
  }

  @Test
  void a_fixed_delay_knows_one_time_only() {
    job = Optional.of(job()
        .trigger(new Trigger.Every(Duration.ofHours(1), From.END, Window.ALWAYS))
        .build());
    assertThat(explain("06T18:00")).isEqualTo(new Explanation.Delayed(Optional.of(at("06T13:00"))));
    assertThat(explain("06T18:00").sentence()).contains("2027-01-06T13:00:00Z");
    assertThat(explain("06T13:00")).isInstanceOf(Explanation.NotYetDue.class);
  }

  @Test
  void the_job_was_changed_after_it() {
    job = Optional.of(hourly(Window.ALWAYS)
        .saved(new JobVersion(2, at("01T00:00"), at("06T11:30")))
        .build());
    assertThat(explain("06T11:00")).isEqualTo(new Explanation.BeforeChange(at("06T11:30")));
    assertThat(explain("06T11:00").sentence()).contains("2027-01-06T11:30:00Z");
  }

  @Test
  void it_is_older_than_what_is_kept() {
    job = Optional.of(hourly(Window.ALWAYS).retain(Duration.ofDays(2)).build());
    assertThat(explain("04T10:00")).isEqualTo(new Explanation.Forgotten(at("04T12:20")));
    assertThat(explain("04T10:00").sentence()).contains("2027-01-04T12:20:00Z");
  }
}
