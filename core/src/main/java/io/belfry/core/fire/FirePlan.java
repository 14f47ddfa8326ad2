package io.belfry.core.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.record.Cursor;
import io.belfry.model.Check;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.CatchUp;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.missed.Timetable;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Plans for one job: when it is due, when it is saved, changed, enabled or disabled, and when one of its tasks ends.
 *
 * <pre>
 *          last                next                        now
 *   ────────●───────────────────○──────○──────○──────○──────┤──────○────
 *    has an outcome             └── plan: skip … fire fire ─┘      next, afterwards
 * </pre>
 *
 * <p>The missed-fire policy divides the due instants into fires and skips, skips first; the overlap policy then turns some of the
 * fires into skips. While the namespace is paused the leader does not plan; after the resume the same policies cover the pause. While a
 * job is disabled it is never due and nothing is recorded.
 *
 * <p>Deterministic: a plan whose commit got lost can be made again. Threading: immutable.
 */
public final class FirePlan {
  /** A commit is bounded, and each task takes two of its guards; the remaining outcomes come with the next plan. */
  public static final int OUTCOMES_MAX = 50;

  private final Job job;
  private final Timetable timetable;
  private final Optional<Calendar> calendar;
  private final Optional<FixedDelay> delay;

  FirePlan(Job job, Timetable timetable, Optional<Calendar> calendar, Optional<FixedDelay> delay) {
    this.job = job;
    this.timetable = timetable;
    this.calendar = calendar;
    this.delay = delay;
  }

  /**
   * For one definition of a job; parses its trigger once.
   *
   * @param job as stored, with the generation of the cursor
   * @param calendar the one that its trigger names, {@linkplain Calendar#resolve resolved}
   * @throws io.belfry.model.InvalidException if the trigger names a calendar and none is given
   */
  public static FirePlan of(Job job, Optional<Calendar> calendar) {
    return of(job, calendar, LookLimit.UNCOUNTED);
  }

  /**
   * As above.
   *
   * @param looks counts the days searched for included ones, and may end the search by throwing
   */
  public static FirePlan of(Job job, Optional<Calendar> calendar, LookLimit looks) {
    return new FirePlan(
        job, Timetables.of(job, calendar, looks), calendar, FixedDelay.of(job, calendar));
  }

  /**
   * The plan to commit for a job that is due; empty if it is not.
   *
   * @param grace an instant up to this age is on time
   */
  public Plan plan(Cursor cursor, Instant now, Duration grace, PlanContext context) {
    return plan(cursor, now, grace, context, Optional.empty());
  }

  /**
   * As above.
   *
   * @param backlog cached by the previous plan, for {@linkplain #hasBacklog jobs} that catch up on many fires
   */
  public Plan plan(
      Cursor cursor, Instant now, Duration grace, PlanContext context, Optional<Backlog> backlog) {
    Optional<Instant> next = cursor.next().filter(at -> cursor.active() && !at.isAfter(now));
    if (next.isEmpty()) {
      return Plan.nothing(cursor);
    }
    if (delay.isPresent() && !delay.get().includes(next.get())) {
      return moved(cursor, delay.get().firstFrom(next.get()), now);
    }
    if (delay.isPresent() && context.made().contains(next.get())) {
      return waiting(cursor, next.get());
    }
    Timetable due = delay.isPresent() ? new Listed(next) : timetable;
    Optional<Instant> first = due.next(next.get().minusNanos(1));
    List<Outcome> outcomes = new ArrayList<>();
    if (!first.equals(next) && window().flatMap(Window::calendar).isPresent()) {
      outcomes.add(
          new Outcome.Skip(new SkippedRange(next.get(), next.get(), 1, true, SkipReason.CALENDAR)));
    }
    if (first.isPresent() && !first.get().isAfter(now)) {
      Instant oldest = first.get();
      CatchUp missed = backlog
          .map(known -> known.catchUp(this, job.missed(), oldest, now, grace, OUTCOMES_MAX))
          .orElseGet(() -> job.missed().catchUp(oldest, now, grace, due));
      missed.skipped().forEach(range -> outcomes.add(new Outcome.Skip(range)));
      List<Instant> fire =
          missed.fire().stream().filter(at -> !context.made().contains(at)).toList();
      if (!fire.isEmpty() && context.taken().contains(fire.getFirst())) {
        OverlapRule.addRange(outcomes, fire.subList(0, 1), SkipReason.ID_TAKEN);
      } else if (context.full()) {
        OverlapRule.addRange(outcomes, fire, SkipReason.PENDING_FULL);
      } else {
        OverlapRule rule =
            new OverlapRule(OUTCOMES_MAX - outcomes.size(), context.firesMax(), this::fire);
        List<Instant> free =
            fire.stream().takeWhile(at -> !context.taken().contains(at)).toList();
        outcomes.addAll(rule.apply(job.overlap(), free, context.unfinished()));
      }
    }
    return after(cursor, first, outcomes, now, context);
  }

  /** Whether it may catch up on so many fires that a backlog is worth caching between plans. */
  public boolean hasBacklog() {
    return delay.isEmpty() && Backlog.helps(job);
  }

  Timetable timetable() {
    return timetable;
  }

  /** Whether the trigger alone determines its instants, without a calendar or the end of a task. */
  public boolean isRegular() {
    return delay.isEmpty() && !window().flatMap(Window::calendar).isPresent();
  }

  /**
   * The cursor of a job that is saved for the first time. Its first instant is strictly after now; see {@link #requireFires} for a
   * job that has none.
   */
  public Cursor first(Instant now) {
    Optional<Instant> next = job.enabled() ? begins(now) : Optional.empty();
    return new Cursor(job.generation(), next.isPresent(), next, Optional.empty(), Optional.empty());
  }

  /**
   * The next instants at which it fires if it is saved now, at most {@code count}. With a fixed delay only the first is known: the others
   * depend on how long tasks run.
   */
  public List<Instant> coming(Instant now, int count) {
    List<Instant> coming = new ArrayList<>();
    Optional<Instant> next = first(now).next();
    while (next.isPresent() && coming.size() < count) {
      coming.add(next.get());
      next = delay.isPresent() ? Optional.empty() : timetable.next(next.get());
    }
    return List.copyOf(coming);
  }

  /**
   * Refuses a time-based trigger without a future fire time, whether the job is enabled or not.
   *
   * @throws io.belfry.model.InvalidException which says that the job can never fire
   */
  public void requireFires(Instant now) {
    boolean byClock = switch (job.trigger()) {
      case Trigger.Cron unused -> true;
      case Trigger.Every unused -> true;
      case Trigger.At unused -> true;
      case Trigger.After unused -> false;
      case Trigger.Manual unused -> false;
    };
    if (byClock && begins(now).isEmpty()) {
      throw Check.refusal(
          "trigger",
          job.trigger(),
          "must be due some time after now (" + now + "), because the job can never fire otherwise",
          "Correct the year, the end or the calendar; or remove the trigger and start the job by hand.");
    }
  }

  /**
   * The cursor after a change of the job or of its calendar, and the skips that the change causes. No instant at or before {@code last}
   * is fired again.
   *
   * <ul>
   *   <li>Same times as before: what is due stays due, so changing a description loses nothing.
   *   <li>Other times: they apply strictly after now. Of the instants due and not yet fired, only the newest stays due, and only if the
   *       new times contain it and no later one up to now. So a change in the very second of a fire does not lose it. The rest
   *       belonged to the old times, and is recorded as skipped.
   *   <li>Disabled: instants due and not yet fired are recorded as skipped.
   *   <li>Enabled: it starts strictly after now. Instants that passed meanwhile were not due.
   * </ul>
   *
   * @param old the plan for the previous job and calendar
   */
  public Edited edited(FirePlan old, Cursor before, Instant now) {
    Optional<Instant> unfired = before.next().filter(at -> before.active() && !at.isAfter(now));
    if (!job.enabled()) {
      Optional<SkippedRange> skipped =
          unfired.map(from -> old.range(from, old.newestDue(from, now), SkipReason.DISABLED));
      return edited(before, Optional.empty(), false, skipped);
    }
    if (before.active() && hasTimesOf(old)) {
      return edited(before, before.next(), true, Optional.empty());
    }
    if (before.active()
        && delay.isPresent()
        && old.delay.isPresent()
        && !InstantOrder.isAhead(before, now)) {
      return edited(before, before.next(), true, Optional.empty());
    }
    Optional<Instant> kept = unfired
        .map(from -> old.newestDue(from, now))
        .filter(at -> newest(now).equals(Optional.of(at)));
    Optional<SkippedRange> skipped = unfired.flatMap(from -> old.upTo(from, kept, now));
    Optional<Instant> last = InstantOrder.later(before.last(), skipped.map(SkippedRange::to));
    Optional<Instant> next =
        kept.or(() -> begins(last.filter(at -> at.isAfter(now)).orElse(now)));
    return edited(before, next, next.isPresent(), skipped);
  }

  /**
   * The cursor after the end of a task for which a fixed delay was waiting; empty if the end changes nothing.
   */
  public Optional<Cursor> ended(Cursor cursor, TaskId task, Instant end) {
    boolean waits = cursor.active() && cursor.next().isEmpty();
    if (delay.isEmpty() || !waits || !cursor.previous().equals(Optional.of(task))) {
      return Optional.empty();
    }
    // A clock that was set back must not lead to an instant that already had its outcome.
    Instant from = cursor.last().filter(last -> last.isAfter(end)).orElse(end);
    Optional<Instant> next = delay.get().afterEnd(from);
    return Optional.of(
        new Cursor(cursor.generation(), next.isPresent(), next, cursor.last(), cursor.previous()));
  }

  /**
   * The cursor after a change of the job's calendar. What was due before the change stays due, and is decided with the
   * calendar as of its decision; after the change, the new days apply.
   *
   * <p>Idempotent: a new leader may redo what its predecessor left half done.
   *
   * @param changed when the calendar was changed
   */
  public Cursor replanned(Cursor before, Instant changed) {
    boolean waits = before.active() && before.next().isEmpty();
    Instant from =
        job.saved().map(JobVersion::updated).filter(changed::isBefore).orElse(changed);
    Instant since = before.last().filter(from::isBefore).orElse(from);
    boolean due =
        before.active() && before.next().filter(at -> !at.isAfter(since)).isPresent();
    if (!job.enabled() || !window().flatMap(Window::calendar).isPresent() || waits || due) {
      return before;
    }
    Optional<Instant> first = begins(since);
    // A fixed delay counts from an end that is no longer known: one interval after the change is
    // late
    // enough for any.
    Optional<Instant> next = delay
        .flatMap(days -> before.next().filter(days::includes))
        .filter(at -> !InstantOrder.isAfter(at, first))
        .or(() -> first);
    return new Cursor(
        before.generation(), next.isPresent(), next, before.last(), before.previous());
  }

  /** The calendar has excluded its day since: it moves to the next included one. */
  private static Plan moved(Cursor cursor, Optional<Instant> next, Instant now) {
    var moved =
        new Cursor(cursor.generation(), next.isPresent(), next, cursor.last(), cursor.previous());
    boolean more = next.isPresent() && !next.get().isAfter(now);
    return new Plan(List.of(), moved, false, more);
  }

  /** The task of that instant already exists: a fixed delay waits for its end as if it had fired. */
  private Plan waiting(Cursor cursor, Instant made) {
    var waits = new Cursor(
        cursor.generation(),
        true,
        Optional.empty(),
        InstantOrder.later(cursor.last(), Optional.of(made)),
        Optional.of(TaskId.fire(job.id(), made)));
    return new Plan(List.of(), waits, false, false);
  }

  /** The newest instant covered by the outcomes and by the tasks that already exist after them. */
  private Optional<Instant> reached(
      Optional<Instant> first, List<Outcome> outcomes, Set<Instant> made) {
    Optional<Instant> reached = outcomes.isEmpty()
        ? first.filter(made::contains)
        : Optional.of(outcomes.getLast().newest());
    Optional<Instant> next = reached.flatMap(timetable::next);
    while (next.filter(made::contains).isPresent()) {
      reached = next;
      next = next.flatMap(timetable::next);
    }
    return reached;
  }

  private Plan after(
      Cursor cursor,
      Optional<Instant> first,
      List<Outcome> outcomes,
      Instant now,
      PlanContext context) {
    Optional<Instant> newest = reached(first, outcomes, context.made());
    Optional<Outcome.Fire> fired = outcomes.reversed().stream()
        .filter(Outcome.Fire.class::isInstance)
        .map(Outcome.Fire.class::cast)
        .findFirst();
    Optional<Instant> next = delay.isPresent()
        ? (fired.isPresent() ? Optional.empty() : delay.get().afterEnd(now))
        : newest.isPresent() ? timetable.next(newest.get()) : first;
    boolean waits = delay.isPresent() && fired.isPresent();
    Optional<TaskId> previous = fired
        .map(fire -> TaskId.fire(job.id(), fire.scheduled()))
        .or(cursor::previous)
        .filter(unused -> keepsPrevious());
    Cursor moved = new Cursor(
        cursor.generation(),
        next.isPresent() || waits,
        next,
        InstantOrder.later(cursor.last(), newest),
        previous);
    boolean replaces = job.overlap() == OverlapPolicy.REPLACE && fired.isPresent();
    boolean more = next.isPresent() && !next.get().isAfter(now);
    return new Plan(outcomes, moved, replaces, more);
  }

  /** The jitter never delays a fire beyond the next one, so that fires start in order. */
  private Outcome.Fire fire(Instant scheduled) {
    Duration jitter = window().map(Window::jitter).orElse(Duration.ZERO);
    if (jitter.isZero()) {
      return new Outcome.Fire(scheduled, scheduled);
    }
    Duration offset = Jitter.offset(job.id(), scheduled, jitter);
    Duration most = timetable
        .next(scheduled)
        .map(following -> Duration.between(scheduled, following).minusMillis(1))
        .orElse(offset);
    return new Outcome.Fire(scheduled, scheduled.plus(offset.compareTo(most) > 0 ? most : offset));
  }

  private Edited edited(
      Cursor before, Optional<Instant> next, boolean active, Optional<SkippedRange> skipped) {
    Cursor cursor = new Cursor(
        job.generation(),
        active,
        next,
        InstantOrder.later(before.last(), skipped.map(SkippedRange::to)),
        before.previous().filter(unused -> keepsPrevious()));
    return new Edited(cursor, skipped);
  }

  private Optional<Instant> begins(Instant after) {
    return delay.isPresent() ? delay.get().first(after) : timetable.next(after);
  }

  /** The instants due from {@code from} to now, without the one that is kept. */
  private Optional<SkippedRange> upTo(Instant from, Optional<Instant> kept, Instant now) {
    Optional<Instant> to =
        kept.isPresent() ? timetable.previous(kept.get()) : Optional.of(newestDue(from, now));
    return to.filter(at -> !at.isBefore(from)).map(at -> range(from, at, SkipReason.CHANGED));
  }

  private SkippedRange range(Instant from, Instant to, SkipReason reason) {
    return SkippedRange.counted(timetable, from, to, reason);
  }

  private Instant newestDue(Instant from, Instant now) {
    return newest(now).filter(at -> !at.isBefore(from)).orElse(from);
  }

  private Optional<Instant> newest(Instant now) {
    return timetable.previous(now.plusNanos(1));
  }

  /** Whether the job fires, or would fire, at the same times as before. */
  public boolean hasTimesOf(FirePlan old) {
    return job.trigger().equals(old.job.trigger()) && calendar.equals(old.calendar);
  }

  private boolean keepsPrevious() {
    return job.overlap() != OverlapPolicy.ALLOW || delay.isPresent();
  }

  private Optional<Window> window() {
    return Timetables.window(job.trigger());
  }
}
