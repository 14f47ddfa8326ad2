package io.belfry.core.fire;

import static io.belfry.model.missed.MissedPolicy.Policy.ALL;
import static io.belfry.model.missed.MissedPolicy.Policy.LAST;
import static io.belfry.model.missed.MissedPolicy.Policy.SKIP;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Holidays;
import io.belfry.core.record.Cursor;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FirePlanTest {
  private static final Instant SAVED = Instant.parse("2027-01-01T00:00:00Z");
  private static final Duration GRACE = Duration.ofSeconds(5);

  @Nested
  class On_time {
    @Test
    void it_fires_and_goes_on_to_the_next() {
      FirePlan firing = minutely(OverlapPolicy.SKIP, MissedPolicy.DEFAULT);
      Plan plan = firing.plan(firing.first(SAVED), at(60).plusMillis(3), GRACE, with(0));

      assertThat(plan.outcomes()).containsExactly(fire(60));
      assertThat(plan.cursor())
          .isEqualTo(new Cursor(1, true, some(120), some(60), Optional.of(task(60))));
      assertThat(plan.more()).isFalse();
      assertThat(plan.replaces()).isFalse();
    }

    @Test
    void nothing_happens_before_its_time_or_while_inactive() {
      FirePlan firing = minutely(OverlapPolicy.SKIP, MissedPolicy.DEFAULT);
      Cursor first = firing.first(SAVED);
      assertThat(firing.plan(first, at(60).minusNanos(1), GRACE, with(0)))
          .isEqualTo(Plan.nothing(first));
      Cursor resting = new Cursor(1, false, some(60), Optional.empty(), Optional.empty());
      Plan plan = firing.plan(resting, at(600), GRACE, with(0));
      assertThat(plan.outcomes()).isEmpty();
      assertThat(plan.changes(resting)).isFalse();
    }

    @Test
    void a_single_instant_is_fired_once_and_the_job_rests() {
      FirePlan firing = plan(job().at(at(60)));
      Plan plan = firing.plan(firing.first(SAVED), at(61), GRACE, with(0));
      assertThat(plan.outcomes()).containsExactly(fire(60));
      assertThat(plan.cursor().active()).isFalse();
      assertThat(plan.cursor().next()).isEmpty();
    }

    @Test
    void a_job_that_allows_overlap_remembers_no_task() {
      FirePlan firing = minutely(OverlapPolicy.ALLOW, MissedPolicy.DEFAULT);
      assertThat(
              firing.plan(firing.first(SAVED), at(60), GRACE, with(4)).cursor().previous())
          .isEmpty();
    }
  }

  @Nested
  class After_an_outage {
    @Test
    void the_newest_stands_for_all() {
      FirePlan firing =
          minutely(OverlapPolicy.SKIP, new MissedPolicy(LAST, Duration.ofHours(1), 100));
      Plan plan = firing.plan(firing.first(SAVED), at(7_230), GRACE, with(0));
      assertThat(plan.outcomes())
          .containsExactly(
              skip(60, 3_600, 60, SkipReason.TOO_OLD),
              skip(3_660, 7_140, 59, SkipReason.SUPERSEDED),
              fire(7_200));
      assertThat(plan.cursor().next()).contains(at(7_260));
    }

    @Test
    void none_is_made_up_for_if_the_job_says_skip() {
      FirePlan firing =
          minutely(OverlapPolicy.SKIP, new MissedPolicy(SKIP, Duration.ofHours(1), 100));
      Plan plan = firing.plan(firing.first(SAVED), at(150), GRACE, with(0));
      assertThat(plan.outcomes()).containsExactly(skip(60, 120, 2, SkipReason.MISSED));
      assertThat(plan.cursor().last()).contains(at(120));
      assertThat(plan.cursor().previous()).isEmpty();
    }

    @Test
    void many_come_in_several_plans() {
      FirePlan firing =
          minutely(OverlapPolicy.ALLOW, new MissedPolicy(ALL, Duration.ofDays(1), 150));
      Instant now = at(60 * 250);
      Plan first = firing.plan(firing.first(SAVED), now, GRACE, with(0));
      assertThat(first.outcomes()).hasSize(FirePlan.OUTCOMES_MAX);
      assertThat(first.outcomes().getFirst()).isEqualTo(skip(60, 60 * 99, 99, SkipReason.TOO_MANY));
      assertThat(first.more()).isTrue();
      assertThat(first.cursor().next()).contains(at(60 * 149));

      Plan second = firing.plan(first.cursor(), now, GRACE, with(49));
      assertThat(second.fires()).hasSize(FirePlan.OUTCOMES_MAX);
      Plan third = firing.plan(second.cursor(), now, GRACE, with(99));
      Plan fourth = firing.plan(third.cursor(), now, GRACE, with(149));
      assertThat(fourth.outcomes()).hasSize(2);
      assertThat(fourth.fires()).hasSize(2);
      assertThat(fourth.more()).isFalse();
    }
  }

  @Nested
  class With_room_for_few {
    private final MissedPolicy all = new MissedPolicy(ALL, Duration.ofDays(1), 1_000);

    private Plan plan(OverlapPolicy overlap, Cursor cursor, int unfinished, int firesMax) {
      return minutely(overlap, all)
          .plan(cursor, at(300), GRACE, new PlanContext(unfinished, firesMax, Set.of()));
    }

    private final Cursor first = new Cursor(1, true, some(60), some(0), Optional.of(task(0)));

    @Test
    void the_rest_comes_with_the_next_plan() {
      Plan plan = plan(OverlapPolicy.ALLOW, first, 0, 2);
      assertThat(plan.outcomes()).containsExactly(fire(60), fire(120));
      assertThat(plan.cursor().next()).contains(at(180));
      assertThat(plan.more()).isTrue();
      assertThat(plan(OverlapPolicy.ALLOW, plan.cursor(), 2, 2).outcomes())
          .containsExactly(fire(180), fire(240));
    }

    @Test
    void nothing_is_skipped_for_want_of_room() {
      assertThat(plan(OverlapPolicy.QUEUE, first, 99, 1).outcomes()).containsExactly(fire(60));
      assertThat(plan(OverlapPolicy.SKIP, first, 0, 1).outcomes())
          .containsExactly(fire(60), skip(120, 300, 4, SkipReason.OVERLAP));
      assertThat(plan(OverlapPolicy.REPLACE, first, 1, 1).outcomes())
          .containsExactly(skip(60, 240, 4, SkipReason.SUPERSEDED), fire(300));
    }
  }

  @Nested
  class Made_before_because_somebody_asked {
    private final Cursor cursor = new Cursor(1, true, some(60), some(0), Optional.of(task(0)));
    private final MissedPolicy all = new MissedPolicy(ALL, Duration.ofDays(1), 1_000);

    private Plan plan(OverlapPolicy overlap, long now, int firesMax, Instant... made) {
      return minutely(overlap, all)
          .plan(cursor, at(now), GRACE, new PlanContext(1, firesMax, Set.of(made)));
    }

    @Test
    void an_instant_is_neither_fired_nor_skipped() {
      for (OverlapPolicy overlap : OverlapPolicy.values()) {
        Plan plan = plan(overlap, 61, 50, at(60));
        assertThat(plan.outcomes()).isEmpty();
        assertThat(plan.cursor().last()).contains(at(60));
        assertThat(plan.cursor().next()).contains(at(120));
        assertThat(plan.replaces()).isFalse();
      }
    }

    @Test
    void those_between_are_passed_over_and_no_others() {
      Plan plan = plan(OverlapPolicy.ALLOW, 300, 2, at(60), at(180), at(240));
      assertThat(plan.outcomes()).containsExactly(fire(120), fire(300));
      plan = plan(OverlapPolicy.ALLOW, 300, 1, at(60), at(180), at(240));
      assertThat(plan.outcomes()).containsExactly(fire(120));
      assertThat(plan.cursor().next()).contains(at(300));
    }

    @Test
    void a_fixed_delay_waits_for_its_end() {
      FirePlan firing = FirePlanTest.plan(job()
          .trigger(
              new Trigger.Every(Duration.ofSeconds(60), Trigger.Every.From.END, Window.ALWAYS)));
      Plan plan =
          firing.plan(firing.first(SAVED), at(61), GRACE, new PlanContext(0, 50, Set.of(at(60))));
      assertThat(plan.outcomes()).isEmpty();
      assertThat(plan.cursor())
          .isEqualTo(new Cursor(1, true, Optional.empty(), some(60), Optional.of(task(60))));
    }
  }

  @Nested
  class Overlap {
    private final MissedPolicy all = new MissedPolicy(ALL, Duration.ofDays(1), 1_000);

    @Test
    void skip_starts_nothing_while_a_task_is_unfinished() {
      Plan plan = due(OverlapPolicy.SKIP, 1, 1);
      assertThat(plan.outcomes()).containsExactly(skip(60, 60, 1, SkipReason.OVERLAP));
      assertThat(plan.cursor().previous()).contains(task(0));
    }

    @Test
    void skip_starts_one_of_several_also_when_all_are_made_up_for() {
      Plan plan = due(OverlapPolicy.SKIP, 5, 0);
      assertThat(plan.outcomes()).containsExactly(fire(60), skip(120, 300, 4, SkipReason.OVERLAP));
      assertThat(plan.cursor().previous()).contains(task(60));
      assertThat(plan.cursor().last()).contains(at(300));
    }

    @Test
    void queue_lets_a_hundred_wait_and_skips_the_rest() {
      assertThat(due(OverlapPolicy.QUEUE, 3, 99).outcomes())
          .containsExactly(fire(60), fire(120), skip(180, 180, 1, SkipReason.QUEUE_FULL));
      assertThat(due(OverlapPolicy.QUEUE, 3, 101).outcomes())
          .containsExactly(skip(60, 180, 3, SkipReason.QUEUE_FULL));
      assertThat(due(OverlapPolicy.QUEUE, 3, 0).fires()).hasSize(3);
      Plan many = due(OverlapPolicy.QUEUE, 500, 0);
      assertThat(many.fires()).hasSize(FirePlan.OUTCOMES_MAX);
      assertThat(many.more()).isTrue();
    }

    @Test
    void replace_starts_the_newest_in_place_of_all_others() {
      Plan plan = due(OverlapPolicy.REPLACE, 4, 1);
      assertThat(plan.outcomes())
          .containsExactly(skip(60, 180, 3, SkipReason.SUPERSEDED), fire(240));
      assertThat(plan.replaces()).isTrue();
      assertThat(plan.cursor().previous()).contains(task(240));
      assertThat(due(OverlapPolicy.REPLACE, 1, 0).replaces()).isTrue();
    }

    private Plan due(OverlapPolicy overlap, int count, int unfinished) {
      Cursor cursor = new Cursor(1, true, some(60), some(0), Optional.of(task(0)));
      return minutely(overlap, all).plan(cursor, at(60L * count), GRACE, with(unfinished));
    }
  }

  @Nested
  class Times_that_are_no_longer_there {
    private final JobBuilder daily = job()
        .trigger(new Trigger.Every(
            Duration.ofDays(1),
            Trigger.Every.From.START,
            Window.ALWAYS.from(at(0)).on("days")));

    @Test
    void are_recorded_when_a_calendar_took_them_out() {
      Calendar office = Calendar.workingDays("days", ZoneOffset.UTC, Holidays.NONE);
      FirePlan firing = FirePlan.of(daily.build(), Optional.of(office));
      Instant saturday = SAVED.plus(Duration.ofDays(1));
      Cursor cursor = new Cursor(1, true, Optional.of(saturday), some(0), Optional.empty());

      Plan plan = firing.plan(cursor, saturday.plusSeconds(1), GRACE, with(0));
      assertThat(plan.outcomes())
          .containsExactly(
              new Outcome.Skip(new SkippedRange(saturday, saturday, 1, true, SkipReason.CALENDAR)));
      assertThat(plan.cursor().next()).contains(SAVED.plus(Duration.ofDays(3)));
    }

    @Test
    void are_passed_over_when_the_zone_took_them_out() {
      FirePlan firing = minutely(OverlapPolicy.SKIP, MissedPolicy.DEFAULT);
      Cursor cursor = new Cursor(1, true, some(90), some(0), Optional.empty());
      Plan plan = firing.plan(cursor, at(91), GRACE, with(0));
      assertThat(plan.outcomes()).isEmpty();
      assertThat(plan.changes(cursor)).isTrue();
      assertThat(plan.cursor().next()).contains(at(120));
      assertThat(firing.plan(cursor, at(121), GRACE, with(0)).outcomes())
          .containsExactly(fire(120));
    }
  }

  @Nested
  class Fixed_delay {
    private final FirePlan firing = plan(job()
        .trigger(new Trigger.Every(Duration.ofSeconds(60), Trigger.Every.From.END, Window.ALWAYS)));

    @Test
    void waits_for_the_end_of_the_task() {
      Plan plan = firing.plan(firing.first(SAVED), at(61), GRACE, with(0));
      assertThat(plan.outcomes()).containsExactly(fire(60));
      Cursor waiting = new Cursor(1, true, Optional.empty(), some(60), Optional.of(task(60)));
      assertThat(plan.cursor()).isEqualTo(waiting);
      assertThat(firing.plan(waiting, at(9_999), GRACE, with(1)).outcomes()).isEmpty();

      assertThat(firing.ended(waiting, task(0), at(100))).isEmpty();
      assertThat(firing.ended(waiting, task(60), at(100)).flatMap(Cursor::next)).contains(at(160));
    }

    @Test
    void goes_on_after_a_time_that_was_too_old() {
      Plan plan = firing.plan(firing.first(SAVED), at(7_200), GRACE, with(0));
      assertThat(plan.outcomes()).containsExactly(skip(60, 60, 1, SkipReason.TOO_OLD));
      assertThat(plan.cursor().next()).contains(at(7_260));
      assertThat(plan.more()).isFalse();
    }

    @Test
    void never_comes_back_to_an_instant_when_the_clock_was_set_back() {
      Cursor waiting = new Cursor(1, true, Optional.empty(), some(600), Optional.of(task(600)));
      assertThat(firing.ended(waiting, task(600), at(100)).flatMap(Cursor::next))
          .contains(at(660));
    }

    @Test
    void ends_with_the_window() {
      FirePlan ending = plan(job()
          .trigger(new Trigger.Every(
              Duration.ofSeconds(60), Trigger.Every.From.END, Window.ALWAYS.until(at(100)))));
      Cursor waiting = new Cursor(1, true, Optional.empty(), some(60), Optional.of(task(60)));
      Cursor over = ending.ended(waiting, task(60), at(70)).orElseThrow();
      assertThat(over.active()).isFalse();
      assertThat(over.next()).isEmpty();
    }
  }

  @Test
  void jitter_delays_the_start_but_not_past_the_next_fire() {
    FirePlan firing = plan(job()
        .trigger(new Trigger.Cron(
            "* * * * * *",
            ZoneOffset.UTC,
            DstRule.DEFAULT,
            Dialect.BELFRY,
            Window.ALWAYS.spread(Duration.ofHours(1))))
        .overlap(OverlapPolicy.ALLOW));
    Plan plan = firing.plan(firing.first(SAVED), at(5), GRACE, with(0));
    List<Outcome.Fire> fires = plan.fires();
    assertThat(fires)
        .hasSize(5)
        .allSatisfy(fire ->
            assertThat(fire.due()).isBetween(fire.scheduled(), fire.scheduled().plusMillis(999)));
  }

  static FirePlan minutely(OverlapPolicy overlap, MissedPolicy missed) {
    return plan(job().every(Duration.ofSeconds(60)).overlap(overlap).missed(missed));
  }

  static JobBuilder job() {
    return Job.named("nightly").local("work").saved(JobVersion.first(SAVED));
  }

  static FirePlan plan(JobBuilder job) {
    return FirePlan.of(job.build(), Optional.empty());
  }

  static Instant at(long seconds) {
    return SAVED.plusSeconds(seconds);
  }

  static Optional<Instant> some(long seconds) {
    return Optional.of(at(seconds));
  }

  static TaskId task(long seconds) {
    return TaskId.fire(job().build().id(), at(seconds));
  }

  private static Outcome fire(long seconds) {
    return new Outcome.Fire(at(seconds), at(seconds));
  }

  private static PlanContext with(int unfinished) {
    return new PlanContext(unfinished, FirePlan.OUTCOMES_MAX, Set.of());
  }

  private static Outcome skip(long from, long to, int count, SkipReason reason) {
    return new Outcome.Skip(new SkippedRange(at(from), at(to), count, true, reason));
  }
}
