package io.belfry.core.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import io.belfry.core.keys.CalendarKeys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Every reader may ask for a preview of fires: that does not delay the leader. */
class PreviewTest extends JobsDoor {
  private static final Calendar NEVER =
      new Calendar("rare", ZoneOffset.UTC, Calendar.Effect.EXCLUDE, List.of(), Optional.empty());

  /** A loop that is busy with other work. */
  private final Loop busy = new Loop() {
    @Override
    public Time time() {
      return Time.system();
    }

    @Override
    public RandomGenerator random() {
      return new SplittableRandom(1);
    }

    @Override
    public void post(Runnable step) {
      throw new AssertionError("a preview is no step of the loop");
    }

    @Override
    public Timer after(Duration delay, Runnable step) {
      throw new AssertionError("a preview sets no timer");
    }
  };

  private void save(Calendar calendar) {
    await(store.commit(Commit.when()
        .put(CalendarKeys.calendar(calendar.name()), Records.encode(calendar))
        .build()));
  }

  private static Job daily() {
    return Job.named("j")
        .local("noop")
        .trigger(new Trigger.Every(
            Duration.ofDays(1), Trigger.Every.From.START, Window.ALWAYS.on("rare")))
        .build();
  }

  /** As many rules as are allowed, of which only the first includes anything: one day in 39 years. */
  private static Calendar onceInALifetime() {
    LocalDate first = LocalDate.ofInstant(Time.system().wall(), ZoneOffset.UTC).plusDays(3);
    Set<LocalDate> days = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      days.add(first.plusYears(39L * i));
    }
    var rules = new ArrayList<Calendar.Rule>();
    rules.add(new Calendar.Rule(Calendar.Effect.INCLUDE, new Days.Dates(days)));
    for (int i = 1; i < 1000; i++) {
      LocalDate past = LocalDate.parse("1900-01-01").plusDays(i);
      rules.add(new Calendar.Rule(Calendar.Effect.EXCLUDE, new Days.Range(past, past)));
    }
    return new Calendar("rare", ZoneOffset.UTC, Calendar.Effect.EXCLUDE, rules, Optional.empty());
  }

  @Test
  void nothing_of_it_is_done_on_the_loop() {
    save(onceInALifetime());
    var preview = await(new Jobs(busy, store).preview(daily()));
    assertThat(preview.coming(2)).hasSize(2);
  }

  @Test
  void fires_that_lie_too_far_apart_are_refused_with_what_to_do() {
    save(onceInALifetime());
    var preview = await(jobs.preview(daily()));
    assertThat(preview.coming(5)).hasSize(5);
    assertThatThrownBy(() -> preview.coming(100))
        .isInstanceOfSatisfying(
            InvalidException.class,
            refusal -> assertThat(refusal.field()).isEqualTo("trigger.calendar"))
        .hasMessageContaining("fewer fires");
  }

  @Test
  void the_rarest_of_usual_calendars_is_told_to_the_end() {
    save(NEVER.including(new Days.Yearly(Set.of(MonthDay.of(2, 29)))));
    List<Instant> coming = await(jobs.preview(daily())).coming(100);
    assertThat(coming).hasSize(100);
    assertThat(Duration.between(coming.getFirst(), coming.getLast()))
        .isGreaterThan(Duration.ofDays(99 * 1461L));
  }
}
