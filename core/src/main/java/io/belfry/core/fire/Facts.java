package io.belfry.core.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.missed.Timetable;
import io.belfry.model.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The facts about a job and an instant that explain why it fired then or not. Threading: immutable.
 *
 * @param at in whole milliseconds, like fires
 * @param task of that instant
 * @param skip the newest one that begins at that instant or before
 * @param calendar the job's, resolved
 * @param paused why the namespace is paused, if it is
 * @param kept how long skips are kept; tasks are kept as long as the job says
 */
public record Facts(
    JobId id,
    Instant at,
    Instant now,
    Optional<Task> task,
    Optional<SkippedRange> skip,
    Optional<Job> job,
    Optional<Cursor> cursor,
    Optional<Calendar> calendar,
    Optional<String> paused,
    Duration kept) {

  public Explanation explain() {
    if (task.isPresent()) {
      return new Explanation.Fired(task.get().id(), task.get().stateName());
    }
    Optional<SkippedRange> skipped = skip.filter(this::covers);
    if (skipped.isPresent()) {
      return new Explanation.Skipped(skipped.get());
    }
    if (job.isEmpty()) {
      return new Explanation.NoJob(id);
    }
    return switch (job.get().trigger()) {
      case Trigger.Manual unused -> new Explanation.OnlyWhenAsked();
      case Trigger.After(JobId after, Trigger.After.Outcome on) ->
        new Explanation.AfterJob(after, on);
      case Trigger.At unused -> byClock(job.get());
      case Trigger.Cron unused -> byClock(job.get());
      case Trigger.Every unused -> byClock(job.get());
    };
  }

  /** A range of skips covers only fire times, not the instants between them. */
  private boolean covers(SkippedRange range) {
    boolean within = !at.isBefore(range.from()) && !at.isAfter(range.to());
    boolean bound = at.equals(range.from()) || at.equals(range.to());
    return within && (bound || job.isEmpty() || has(everyDay(job.get())));
  }

  private Explanation byClock(Job of) {
    Window window = Timetables.window(of.trigger()).orElse(Window.ALWAYS);
    if (window.start().filter(at::isBefore).isPresent()) {
      return new Explanation.BeforeStart(window.start().get());
    }
    if (window.end().filter(end -> !at.isBefore(end)).isPresent()) {
      return new Explanation.AfterEnd(window.end().get());
    }
    if (FixedDelay.of(of, calendar).isPresent()) {
      Optional<Instant> next = cursor.flatMap(Cursor::next);
      boolean isNext = next.equals(Optional.of(at));
      return of.enabled() && !isNext ? new Explanation.Delayed(next) : undecided(of);
    }
    Timetable times = Timetables.of(of, calendar);
    if (!has(everyDay(of))) {
      return new Explanation.NotAFireTime(times.previous(at), times.next(at));
    }
    if (!has(times)) {
      return new Explanation.Excluded(window.calendar().orElseThrow(), day(of));
    }
    return undecided(of);
  }

  /** It is one of the job's fire times, and neither a task nor a skip of it is stored. */
  private Explanation undecided(Job of) {
    Instant horizon = now.minus(of.retain().compareTo(kept) < 0 ? of.retain() : kept);
    Instant changed = of.saved().map(JobVersion::updated).orElse(Instant.MIN);
    Optional<Instant> last = cursor.flatMap(Cursor::last);
    boolean passed = last.filter(reached -> !at.isAfter(reached)).isPresent();
    boolean before = cursor.flatMap(Cursor::next).filter(at::isBefore).isPresent();
    if (at.isBefore(horizon)) {
      return new Explanation.Forgotten(horizon);
    }
    if (!at.isAfter(changed) && (passed || before || !of.enabled())) {
      return new Explanation.BeforeChange(changed);
    }
    if (passed) {
      return new Explanation.NotKept(last.orElseThrow());
    }
    if (!of.enabled()) {
      return new Explanation.Disabled();
    }
    if (paused.isPresent()) {
      return new Explanation.Paused(paused.get());
    }
    return at.isAfter(now)
        ? new Explanation.NotYetDue(at, Duration.between(now, at))
        : new Explanation.DueNow(at);
  }

  private boolean has(Timetable times) {
    return times.next(at.minusMillis(1)).equals(Optional.of(at));
  }

  private static Timetable everyDay(Job of) {
    return Timetables.of(of, Optional.of(Calendar.everyDay("all", ZoneOffset.UTC)));
  }

  private LocalDate day(Job of) {
    ZoneId zone = of.trigger() instanceof Trigger.Cron cron
        ? cron.zone()
        : calendar.map(Calendar::zone).orElse(ZoneOffset.UTC);
    return LocalDate.ofInstant(at, zone);
  }
}
