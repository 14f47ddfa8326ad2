package io.belfry.core.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.record.Cursor;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.missed.Timetable;
import io.belfry.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Invariants over any life of a job: fires on time and late, outages, changes, disabling and enabling. */
class FireLawsTest {
  private static final Instant SAVED = Instant.parse("2027-03-01T00:00:00Z");
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final int ASKED_MAX =
      2 * MissedPolicy.MAX_COUNT + 2 * SkippedRange.COUNT_MAX + 2 * FirePlan.OUTCOMES_MAX + 20;

  @Test
  void every_due_instant_has_exactly_one_outcome_or_is_still_ahead() {
    Seeds.each(1_000, random -> new Life(random).live(40));
  }

  @Test
  void one_plan_costs_the_same_after_an_hour_and_after_a_century() {
    Seeds.each(40, random -> {
      Job job = anyJob(random, JobVersion.first(SAVED), Duration.ofMillis(100));
      for (Duration outage : List.of(
          Duration.ofHours(1),
          Duration.ofDays(30),
          Duration.ofDays(3_660),
          Duration.ofDays(36_600))) {
        Counting counted = new Counting(Timetables.of(job, Optional.empty()));
        FirePlan firing = new FirePlan(job, counted, Optional.empty(), Optional.empty());
        Cursor first = firing.first(SAVED);
        int before = counted.asked();
        Plan plan = firing.plan(first, SAVED.plus(outage), GRACE, with(0));
        assertThat(plan.outcomes().size()).isBetween(1, FirePlan.OUTCOMES_MAX);
        assertThat(counted.asked() - before).isLessThanOrEqualTo(ASKED_MAX);
      }
    });
  }

  /** One job from its first save on. The instants of an epoch are those of one set of times without a break. */
  private static final class Life {
    private final RandomGenerator random;
    private final Set<Instant> fired = new HashSet<>();
    private final List<Instant> covered = new ArrayList<>();
    private Job job;
    private Timetable timetable;
    private FirePlan firing;
    private Cursor cursor;
    private Instant now = SAVED;
    private Optional<Instant> epoch;
    private Instant lastDue = Instant.MIN;

    Life(RandomGenerator random) {
      this.random = random;
      this.job = anyJob(random, JobVersion.first(SAVED), Duration.ofSeconds(1));
      this.timetable = Timetables.of(job, Optional.empty());
      this.firing = FirePlan.of(job, Optional.empty());
      this.cursor = firing.first(SAVED);
      this.epoch = cursor.next();
    }

    void live(int steps) {
      for (int i = 0; i < steps; i++) {
        now = later();
        if (random.nextInt(5) == 0) {
          change();
        } else {
          catchUp(random.nextBoolean() ? 1 : Integer.MAX_VALUE);
        }
        checkEpoch(cursor.next());
      }
    }

    /** On time, late, or much later; but not so much later that a test could not list the instants. */
    private Instant later() {
      Instant due = cursor.next().filter(at -> at.isAfter(now)).orElse(now);
      return switch (random.nextInt(4)) {
        case 0 -> due;
        case 1 -> due.plusNanos(random.nextLong(10_000_000_000L));
        case 2 -> now.plusMillis(random.nextInt(1, 100_000));
        default -> now.plusSeconds(random.nextInt(1, 4_000));
      };
    }

    private void catchUp(int plans) {
      boolean more = true;
      for (int i = 0; more && i < plans; i++) {
        int unfinished = Seeds.oneOf(random, 0, 0, 1, 3, 100, 101);
        Plan plan = firing.plan(cursor, now, GRACE, with(unfinished));
        assertThat(firing.plan(cursor, now, GRACE, with(unfinished))).isEqualTo(plan);
        take(plan);
        more = plan.more();
      }
    }

    private void take(Plan plan) {
      assertThat(plan.outcomes()).hasSizeLessThanOrEqualTo(FirePlan.OUTCOMES_MAX);
      boolean isDue =
          cursor.active() && cursor.next().filter(at -> !at.isAfter(now)).isPresent();
      assertThat(plan.changes(cursor)).as("a plan goes on, and only when due").isEqualTo(isDue);
      for (Outcome outcome : plan.outcomes()) {
        switch (outcome) {
          case Outcome.Fire fire -> fire(fire);
          case Outcome.Skip skip -> covered.addAll(expanded(skip.range()));
        }
        assertThat(outcome.newest()).isBeforeOrEqualTo(now);
      }
      assertThat(plan.more())
          .isEqualTo(plan.cursor().next().filter(at -> !at.isAfter(now)).isPresent());
      if (!plan.outcomes().isEmpty()) {
        assertThat(plan.cursor().last()).contains(plan.outcomes().getLast().newest());
      }
      assertThat(plan.cursor().generation()).isEqualTo(cursor.generation());
      cursor = plan.cursor();
    }

    private void fire(Outcome.Fire fire) {
      assertThat(fired.add(fire.scheduled())).as("%s fired before", fire).isTrue();
      cursor.last().ifPresent(last -> assertThat(fire.scheduled()).isAfter(last));
      covered.add(fire.scheduled());
      Duration jitter = Timetables.window(job.trigger()).map(Window::jitter).orElse(Duration.ZERO);
      assertThat(fire.due())
          .isBetween(fire.scheduled(), fire.scheduled().plus(jitter))
          .isAfter(lastDue);
      lastDue = fire.due();
    }

    private void change() {
      JobVersion saved = job.saved().orElseThrow().again(now);
      Job next = switch (random.nextInt(4)) {
        case 0 ->
          job.edit().description("word " + random.nextInt()).saved(saved).build();
        case 1 -> job.edit().enabled(!job.enabled()).saved(saved).build();
        default -> anyJob(random, saved, Duration.ofSeconds(1));
      };
      FirePlan changed = FirePlan.of(next, Optional.empty());
      Edited edited = changed.edited(firing, cursor, now);
      assertThat(changed.edited(firing, cursor, now)).isEqualTo(edited);
      assertThat(edited.cursor().generation()).isEqualTo(cursor.generation() + 1);

      edited.skipped().ifPresent(range -> covered.addAll(expanded(range)));
      boolean goesOn = next.enabled() && cursor.active() && next.trigger().equals(job.trigger());
      if (!goesOn) {
        Optional<Instant> kept = edited.cursor().next().filter(at -> !at.isAfter(now));
        assertThat(kept.isEmpty() || kept.equals(newestDue())).isTrue();
        checkEpoch(kept.or(() -> Optional.of(now.plusNanos(1))));
        covered.clear();
        // Other times have another order: a fire of theirs may start before an old one that was
        // spread.
        lastDue = Instant.MIN;
        epoch = edited.cursor().next();
      }
      job = next;
      timetable = Timetables.of(job, Optional.empty());
      firing = changed;
      cursor = edited.cursor();
    }

    private Optional<Instant> newestDue() {
      return timetable.previous(now.plusNanos(1));
    }

    /** The outcomes cover all instants of the epoch before {@code end}, each once and in order. */
    private void checkEpoch(Optional<Instant> end) {
      if (epoch.isEmpty()) {
        assertThat(covered).isEmpty();
        return;
      }
      List<Instant> expected = new ArrayList<>();
      Optional<Instant> at = epoch;
      while (at.isPresent() && (end.isEmpty() || at.get().isBefore(end.get()))) {
        expected.add(at.get());
        at = timetable.next(at.get());
      }
      assertThat(covered).as("outcomes of %s", job.trigger()).isEqualTo(expected);
    }

    private List<Instant> expanded(SkippedRange range) {
      List<Instant> instants = new ArrayList<>();
      instants.add(range.from());
      while (instants.getLast().isBefore(range.to())) {
        instants.add(timetable.next(instants.getLast()).orElseThrow());
      }
      assertThat(instants.getLast()).isEqualTo(range.to());
      assertThat(instants).hasSize(range.count());
      assertThat(range.exact()).isTrue();
      return instants;
    }
  }

  private static Job anyJob(RandomGenerator random, JobVersion saved, Duration shortest) {
    return Job.named("nightly")
        .local("work")
        .trigger(anyTrigger(random, shortest))
        .missed(new MissedPolicy(
            Seeds.oneOf(random, MissedPolicy.Policy.values()),
            Duration.ofSeconds(random.nextInt(10_000)),
            random.nextInt(1, 500)))
        .overlap(Seeds.oneOf(random, OverlapPolicy.values()))
        .saved(saved)
        .build();
  }

  private static PlanContext with(int unfinished) {
    return new PlanContext(unfinished, FirePlan.OUTCOMES_MAX, Set.of());
  }

  private static Trigger anyTrigger(RandomGenerator random, Duration shortest) {
    Window window = random.nextInt(4) == 0
        ? Window.ALWAYS.until(SAVED.plusSeconds(random.nextInt(60_000, 90_000)))
        : Window.ALWAYS;
    Duration jitter = Duration.ofMillis(Seeds.oneOf(random, 0, 50, 99));
    if (random.nextBoolean()) {
      Duration interval = shortest.multipliedBy(random.nextInt(1, 100));
      return new Trigger.Every(interval, Trigger.Every.From.START, window.spread(jitter));
    }
    String expression = Seeds.oneOf(
        random, "*/20 * * * * *", "0 * * * * *", "7 1/3 * * * *", "0 H/15 * * * *", "@every 45s");
    return new Trigger.Cron(
        expression,
        ZoneId.of("Europe/Berlin"),
        DstRule.DEFAULT,
        Dialect.BELFRY,
        window.spread(jitter.multipliedBy(1_000)));
  }
}
