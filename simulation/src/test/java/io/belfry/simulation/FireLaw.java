package io.belfry.simulation;

import io.belfry.core.fire.FixedDelay;
import io.belfry.core.fire.Timetables;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.missed.Timetable;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * I1: every due instant of a job has exactly one outcome. Each commit that moves a cursor from one instant to another must say what
 * became of every instant in between, by the tasks and the skips that it writes itself; and nothing is fired before its time.
 *
 * <p>Threading: confined to its world.
 */
final class FireLaw implements EngineEar {
  private static final String LAW = "I1 exactly one outcome";
  private static final Duration ROUNDING = Duration.ofMillis(1);

  /** What one commit says of one job. */
  private static final class Said {
    final Set<Instant> fires = new HashSet<>();
    final List<SkippedRange> skips = new ArrayList<>();

    @Nullable
    Cursor cursor;

    @Nullable
    Job job;

    boolean outcomes() {
      return !fires.isEmpty() || !skips.isEmpty();
    }
  }

  private final World world;
  private final Simulation simulation;
  private final Map<JobId, Job> jobs = new HashMap<>();
  private final Map<JobId, Instant> last = new HashMap<>();
  private final CalendarLaw calendars;
  private final AskedLaw asked;
  private final Standing standing;
  private final SkipLaw skips;
  private long accounted;

  FireLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.calendars = new CalendarLaw(simulation);
    this.asked = new AskedLaw(simulation);
    this.standing = new Standing(world, asked);
    this.skips = new SkipLaw(simulation, standing, asked);
    simulation.engine().addEar(this);
  }

  /** How many instants were found to have their one outcome. */
  long accounted() {
    return accounted;
  }

  @Override
  public void settled(EngineStep step) {
    for (Commit commit : step.commits()) {
      commit.writes().forEach(calendars::read);
      Map<JobId, Said> said = new HashMap<>();
      commit.writes().forEach(write -> read(step, write, said));
      said.forEach((id, words) -> judge(step, id, words));
      startsAlone(step, commit);
    }
    standing.settled(step);
  }

  private void read(EngineStep step, Write write, Map<JobId, Said> said) {
    String text = write.key().text();
    if (!(write instanceof Write.Put put)) {
      if (write.key().space().equals(Keys.JOBS)) {
        jobs.remove(new JobId(text));
      }
    } else if (put.key().space().equals(Keys.JOBS)) {
      of(said, new JobId(text)).job = Records.job(put.value());
    } else if (put.key().space().equals(Keys.CURSORS)) {
      of(said, new JobId(text)).cursor = Records.cursor(put.value());
    } else if (put.key().space().equals(Keys.SKIPS)) {
      var id = new JobId(text.substring(0, text.indexOf('/')));
      of(said, id).skips.add(added(step, id, put));
    } else if (put.key().space().equals(Keys.TASKS)
        && step.before(put.key()) == null
        && TaskId.parse(text) instanceof TaskId.Fire(JobId job, Instant at)
        && !asked.wasAsked(job, at)) {
      of(said, job).fires.add(at);
    }
  }

  /** A record of skips may be extended by the instants that follow it, and by nothing else. */
  private SkippedRange added(EngineStep step, JobId id, Write.Put put) {
    SkippedRange range = Records.skippedRange(put.value());
    EngineStep.Slot slot = step.before(put.key());
    EngineStep.Slot moved = step.before(Keys.cursor(id));
    if (slot == null || moved == null) {
      return range;
    }
    SkippedRange before = Records.skippedRange(slot.value());
    Cursor cursor = Records.cursor(moved.value());
    if (!before.from().equals(range.from())
        || before.reason() != range.reason()
        || before.count() >= range.count()
        || !cursor.last().equals(Optional.of(before.to()))
        || cursor.next().isEmpty()) {
      throw world.violation(
          LAW,
          step.by() + " extended a skip of " + id + " from " + before + " to " + range
              + " over what does not belong to it: " + cursor);
    }
    return new SkippedRange(
        cursor.next().get(),
        range.to(),
        range.count() - before.count(),
        range.exact(),
        range.reason());
  }

  private static Said of(Map<JobId, Said> said, JobId id) {
    return said.computeIfAbsent(id, unused -> new Said());
  }

  private void judge(EngineStep step, JobId id, Said said) {
    Cursor after = said.cursor;
    if (after == null) {
      throw world.violation(
          LAW,
          step.by() + " wrote of job " + id + " without moving its cursor: " + said.fires
              + said.skips);
    }
    EngineStep.Slot slot = step.before(Keys.cursor(id));
    Cursor before = slot == null ? null : Records.cursor(slot.value());
    notEarly(step, id, said);
    onlyForward(step, id, said, after);
    if (said.job != null) {
      edited(step, id, said, before, after);
      jobs.put(id, said.job);
    } else {
      moved(step, id, said, before, after);
    }
  }

  private void notEarly(EngineStep step, JobId id, Said said) {
    Instant now = simulation
        .cluster()
        .ever(step.by())
        .map(writer -> writer.time().latest(world.now() - SkipLaw.UNDER_WAY.toNanos()))
        .orElse(Instant.MAX.minus(ROUNDING))
        .plus(ROUNDING);
    for (Instant at : said.fires) {
      if (at.isAfter(now)) {
        throw world.violation(
            "I1 nothing is fired early", step.by() + " fired " + id + " for " + at + " at " + now);
      }
    }
  }

  private void onlyForward(EngineStep step, JobId id, Said said, Cursor after) {
    Instant reached = last.get(id);
    for (Instant at : said.fires) {
      if (reached != null && !at.isAfter(reached)) {
        throw world.violation(
            LAW, step.by() + " fired " + id + " for " + at + ", which was passed: " + reached);
      }
    }
    if (reached != null && after.last().filter(at -> !at.isBefore(reached)).isEmpty()) {
      throw world.violation(
          LAW, step.by() + " took the cursor of " + id + " back from " + reached + " to " + after);
    }
    after.last().ifPresent(at -> last.put(id, at));
    if (after.next().isPresent()
        && after.last().isPresent()
        && !after.next().get().isAfter(after.last().get())) {
      throw world.violation(LAW, step.by() + " left " + id + " with an instant passed: " + after);
    }
  }

  /** Of a job that skips, the default, none begins beside another. */
  private void startsAlone(EngineStep step, Commit commit) {
    Set<JobId> starting = new HashSet<>();
    for (Write write : commit.writes()) {
      if (!(write instanceof Write.Put put)
          || !put.key().space().equals(Keys.TASKS)
          || step.before(put.key()) != null) {
        continue;
      }
      Task task = Records.task(put.value());
      Job job = task.id().jobId().map(jobs::get).orElse(null);
      if (job == null || job.overlap() != OverlapPolicy.SKIP || !standing.isOwn(task)) {
        continue;
      }
      if (!starting.add(job.id()) || !standing.own(job.id()).isEmpty()) {
        throw world.violation(
            "I4 a job that skips runs alone",
            step.by() + " made " + task.id() + " beside " + standing.own(job.id()) + starting);
      }
    }
  }

  /** A change of the job fires nothing; with the same times, what was due stays due. */
  private void edited(EngineStep step, JobId id, Said said, @Nullable Cursor before, Cursor after) {
    Job job = java.util.Objects.requireNonNull(said.job);
    Job old = jobs.get(id);
    if (old != null) {
      boolean otherTimes = calendars.isPending(old)
          || calendars.isPending(job)
          || !job.trigger().equals(old.trigger());
      skips.edited(step, old, job, otherTimes, said.skips);
    }
    boolean wrong = after.generation() != job.generation() || !said.fires.isEmpty();
    if (before != null && old != null && before.active()) {
      boolean asPlanned = !calendars.isPending(old);
      Timetable times = Timetables.of(old, calendars.of(old));
      for (SkippedRange range : said.skips) {
        wrong |= (asPlanned && !before.next().equals(Optional.of(range.from())))
            || after.next().filter(at -> !at.isAfter(range.to())).isPresent();
        wrong |= range.exact() && range.count() != count(times, range);
      }
      if (after.active() && asPlanned && job.trigger().equals(old.trigger())) {
        wrong |= !after.next().equals(before.next()) || !said.skips.isEmpty();
      }
    } else {
      wrong |= !said.skips.isEmpty();
    }
    if (wrong) {
      throw world.violation(
          LAW,
          step.by() + " changed " + id + " from " + before + " to " + after + " with "
              + said.skips);
    }
  }

  private static int count(Timetable times, SkippedRange range) {
    int count = 0;
    Optional<Instant> at = Optional.of(range.from());
    while (at.isPresent() && !at.get().isAfter(range.to())) {
      count++;
      at = times.next(at.get());
    }
    return Math.max(count, 1);
  }

  private void moved(EngineStep step, JobId id, Said said, @Nullable Cursor before, Cursor after) {
    Job job = jobs.get(id);
    if (before == null
        || job == null
        || before.generation() != after.generation()
        || job.generation() != after.generation()
        || (!before.active() && said.outcomes())) {
      throw world.violation(
          LAW,
          step.by() + " moved " + id + " from " + before + " to " + after + ", which is "
              + (job == null ? "gone" : "of generation " + job.generation()));
    }
    Timetable times = Timetables.of(job, calendars.of(job));
    calendars.onIncludedDays(step, job, said.fires);
    skips.moved(step, job, times, said.fires, said.skips);
    if (FixedDelay.of(job, calendars.of(job)).isPresent()) {
      byDelay(step, id, said, before);
      return;
    }
    if (!said.outcomes()) {
      calendars.leavesNothingOut(step, job, times, before, after);
    }
    if (before.next().isPresent()) {
      account(step, job, said, times, before.next().get(), after);
    }
  }

  /** A fixed delay has one instant at a time. */
  private void byDelay(EngineStep step, JobId id, Said said, Cursor before) {
    int outcomes = said.fires.size() + said.skips.size();
    if (outcomes > 1
        || said.fires.stream().anyMatch(at -> !before.next().equals(Optional.of(at)))) {
      throw world.violation(
          LAW, step.by() + " fired " + id + " at " + said.fires + said.skips + " after " + before);
    }
  }

  private void account(
      EngineStep step, Job job, Said said, Timetable times, Instant from, Cursor after) {
    JobId id = job.id();
    int fired = 0;
    Instant end =
        after.next().or(() -> after.last().map(at -> at.plusMillis(1))).orElse(from);
    Optional<Instant> at = Optional.of(from);
    while (at.isPresent() && at.get().isBefore(end)) {
      Instant due = at.get();
      int outcomes = said.fires.contains(due) ? 1 : 0;
      fired += outcomes;
      for (SkippedRange range : said.skips) {
        outcomes += due.isBefore(range.from()) || due.isAfter(range.to()) ? 0 : 1;
      }
      if (outcomes == 0 && asked.wasAsked(id, due)) {
        at = times.next(due); // somebody was faster, and it has its task
        continue;
      }
      if (outcomes == 0 && due.equals(from) && calendars.tookOut(job, due)) {
        at = times.next(due); // its day was taken out, and the cursor is planned anew
        continue;
      }
      if (outcomes != 1) {
        throw world.violation(
            LAW,
            step.by() + " gave " + outcomes + " outcomes to " + id + " at " + due + ": fired "
                + said.fires + ", skipped " + said.skips + ", cursor " + after);
      }
      accounted++;
      at = times.next(due);
    }
    if (fired != said.fires.size()) {
      throw world.violation(
          LAW, step.by() + " fired " + id + " when it was not due: " + said.fires + ", " + after);
    }
  }

  CalendarLaw calendars() {
    return calendars;
  }

  /** The trouble has long been over: whatever is to fire is up to date. */
  void checkFiring() {
    Instant now = SimTime.BEGINNING.plusNanos(world.now());
    simulation.engine().state().slots().forEach((key, slot) -> {
      if (key.space().equals(Keys.CURSORS)) {
        Cursor cursor = Records.cursor(slot.value());
        boolean behind = cursor.active()
            && cursor.next().filter(at -> at.isBefore(now.minusSeconds(4))).isPresent();
        if (behind) {
          throw world.violation("I7 everything recovers", key + " is not fired: " + cursor);
        }
      }
    });
  }
}
