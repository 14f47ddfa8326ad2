package io.belfry.core.fire;

import static io.belfry.core.fire.FirePlanTest.at;
import static io.belfry.core.fire.FirePlanTest.job;
import static io.belfry.core.fire.FirePlanTest.plan;
import static io.belfry.core.fire.FirePlanTest.some;
import static io.belfry.core.fire.FirePlanTest.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Holidays;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EditedTest {
  private final FirePlan minutely = plan(job().every(Duration.ofSeconds(60)));

  @Nested
  class First_save {
    @Test
    void begins_strictly_after_now() {
      assertThat(minutely.first(at(0)))
          .isEqualTo(new Cursor(1, true, some(60), Optional.empty(), Optional.empty()));
      assertThat(plan(job().at(at(5))).first(at(5)).next()).isEmpty();
    }

    @Test
    void of_a_job_that_does_not_fire_by_itself_rests() {
      for (JobBuilder job : List.of(
          job().every(Duration.ofSeconds(60)).enabled(false),
          job().trigger(new Trigger.Manual()),
          job().after("other", Trigger.After.Outcome.SUCCEEDED))) {
        Cursor cursor = plan(job).first(at(0));
        assertThat(cursor.active()).isFalse();
        assertThat(cursor.next()).isEmpty();
        assertThatCode(() -> plan(job).requireFires(at(0))).doesNotThrowAnyException();
      }
    }

    @Test
    void of_a_job_that_can_never_fire_is_refused() {
      Instant now = at(0);
      Calendar never = new Calendar(
          "never", ZoneOffset.UTC, Calendar.Effect.EXCLUDE, List.of(), Optional.empty());
      Trigger.Every excluded = new Trigger.Every(
          Duration.ofHours(1), Trigger.Every.From.START, Window.ALWAYS.on("never"));
      for (FirePlan firing : List.of(
          plan(job().cron("0 0 0 1 1 ? 2020", ZoneOffset.UTC)),
          plan(job().cron("0 0 0 1 1 ? 2020", ZoneOffset.UTC).enabled(false)),
          plan(job().at(now)),
          FirePlan.of(job().trigger(excluded).build(), Optional.of(never)))) {
        assertThat(firing.first(now).active()).isFalse();
        assertThatThrownBy(() -> firing.requireFires(now))
            .hasMessageStartingWith(
                "trigger must be due some time after now (2027-01-01T00:00:00Z), because the job can never fire");
      }
    }
  }

  @Nested
  class With_the_same_times {
    private final FirePlan described =
        plan(again().every(Duration.ofSeconds(60)).description("other words"));

    @Test
    void what_is_due_stays_due() {
      Cursor behind = cursor(some(120), some(60));
      Edited edited = described.edited(minutely, behind, at(600));
      assertThat(edited.skipped()).isEmpty();
      assertThat(edited.cursor())
          .isEqualTo(new Cursor(2, true, some(120), some(60), Optional.of(task(60))));
    }

    @Test
    void the_previous_task_is_forgotten_where_overlap_is_allowed() {
      FirePlan allowing = plan(again().every(Duration.ofSeconds(60)).overlap(OverlapPolicy.ALLOW));
      assertThat(allowing
              .edited(minutely, cursor(some(120), some(60)), at(100))
              .cursor()
              .previous())
          .isEmpty();
    }
  }

  @Nested
  class With_other_times {
    private final FirePlan halfMinutely = plan(again().every(Duration.ofSeconds(30)));
    private final FirePlan uneven = plan(again().every(Duration.ofSeconds(35)));

    @Test
    void they_hold_strictly_after_now() {
      Edited edited = uneven.edited(minutely, cursor(some(120), some(60)), at(70));
      assertThat(edited.cursor().next()).contains(at(105));
      assertThat(edited.skipped()).isEmpty();
    }

    @Test
    void a_fire_of_this_very_moment_stays_due_if_they_have_it_too() {
      Edited edited = halfMinutely.edited(minutely, cursor(some(120), some(60)), at(121));
      assertThat(edited.cursor().next()).contains(at(120));
      assertThat(edited.skipped()).isEmpty();
    }

    @Test
    void a_fire_that_they_do_not_have_is_recorded_as_taken_back() {
      Edited edited = uneven.edited(minutely, cursor(some(120), some(60)), at(121));
      assertThat(edited.skipped())
          .contains(new SkippedRange(at(120), at(120), 1, true, SkipReason.CHANGED));
      assertThat(edited.cursor().last()).contains(at(120));
      assertThat(edited.cursor().next()).contains(at(140));
    }

    @Test
    void instants_that_only_they_have_are_not_due_for_the_time_before_the_change() {
      Edited edited = halfMinutely.edited(minutely, cursor(some(120), some(60)), at(155));
      assertThat(edited.skipped())
          .contains(new SkippedRange(at(120), at(120), 1, true, SkipReason.CHANGED));
      assertThat(edited.cursor().next()).contains(at(180));
    }

    @Test
    void of_many_that_were_due_the_newest_can_stay() {
      Edited edited = halfMinutely.edited(minutely, cursor(some(120), some(60)), at(601));
      assertThat(edited.skipped())
          .contains(new SkippedRange(at(120), at(540), 8, true, SkipReason.CHANGED));
      assertThat(edited.cursor().next()).contains(at(600));
    }

    @Test
    void nothing_that_had_its_outcome_comes_again_when_the_clock_was_set_back() {
      Edited edited = halfMinutely.edited(minutely, cursor(some(660), some(600)), at(100));
      assertThat(edited.cursor().next()).contains(at(630));
    }

    @Test
    void a_changed_calendar_counts_as_other_times() {
      Trigger.Every daily = new Trigger.Every(
          Duration.ofDays(1),
          Trigger.Every.From.START,
          Window.ALWAYS.from(at(0)).on("days"));
      Calendar all = Calendar.everyDay("days", ZoneOffset.UTC);
      Calendar office = Calendar.workingDays("days", ZoneOffset.UTC, Holidays.NONE);
      Cursor friday = cursor(Optional.of(day(3)), some(0));
      Edited edited = FirePlan.of(job().trigger(daily).build(), Optional.of(all))
          .edited(FirePlan.of(job().trigger(daily).build(), Optional.of(office)), friday, at(100));
      assertThat(edited.cursor().next()).contains(day(1));
    }

    private Instant day(int n) {
      return at(n * 86_400L);
    }
  }

  @Nested
  class Switching {
    private final FirePlan disabled = plan(again().every(Duration.ofSeconds(60)).enabled(false));

    @Test
    void off_records_what_was_due_and_rests() {
      Edited edited = disabled.edited(minutely, cursor(some(120), some(60)), at(200));
      assertThat(edited.skipped())
          .contains(new SkippedRange(at(120), at(180), 2, true, SkipReason.DISABLED));
      assertThat(edited.cursor())
          .isEqualTo(new Cursor(2, false, Optional.empty(), some(180), Optional.of(task(60))));
      assertThat(disabled.edited(minutely, cursor(some(120), some(60)), at(100)).skipped())
          .isEmpty();
    }

    @Test
    void on_starts_strictly_after_now() {
      Cursor resting = new Cursor(2, false, Optional.empty(), some(60), Optional.empty());
      Edited edited = minutely.edited(disabled, resting, at(600));
      assertThat(edited.skipped()).isEmpty();
      assertThat(edited.cursor().next()).contains(at(660));
      assertThat(edited.cursor().active()).isTrue();
    }
  }

  @Nested
  class Fixed_delay {
    private final FirePlan old = delay(job(), 60);
    private final FirePlan changed = delay(again(), 90);

    @Test
    void goes_on_waiting_for_the_task_that_runs() {
      Cursor waiting = cursor(Optional.empty(), some(60));
      Cursor after = changed.edited(old, waiting, at(70)).cursor();
      assertThat(after.active()).isTrue();
      assertThat(after.next()).isEmpty();
      assertThat(changed.ended(after, task(60), at(100)).flatMap(Cursor::next)).contains(at(190));
    }

    @Test
    void keeps_what_is_due_and_counts_anew_for_what_is_not() {
      assertThat(
              changed.edited(old, cursor(some(120), some(60)), at(121)).cursor().next())
          .contains(at(120));
      assertThat(
              changed.edited(old, cursor(some(120), some(60)), at(110)).cursor().next())
          .contains(at(200));
    }

    @Test
    void gives_way_to_a_timetable() {
      Edited edited = plan(again().every(Duration.ofSeconds(50)))
          .edited(old, cursor(some(120), some(60)), at(121));
      assertThat(edited.skipped())
          .contains(new SkippedRange(at(120), at(120), 1, true, SkipReason.CHANGED));
      assertThat(edited.cursor().next()).contains(at(150));
    }

    private FirePlan delay(JobBuilder job, int seconds) {
      return plan(job.trigger(
          new Trigger.Every(Duration.ofSeconds(seconds), Trigger.Every.From.END, Window.ALWAYS)));
    }
  }

  private static JobBuilder again() {
    return job().saved(JobVersion.first(at(0)).again(at(100)));
  }

  private static Cursor cursor(Optional<Instant> next, Optional<Instant> last) {
    return new Cursor(1, true, next, last, Optional.of(task(60)));
  }
}
