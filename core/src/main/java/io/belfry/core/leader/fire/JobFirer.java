package io.belfry.core.leader.fire;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.core.fire.Backlogs;
import io.belfry.core.fire.JobTable;
import io.belfry.core.fire.Outcome;
import io.belfry.core.fire.Plan;
import io.belfry.core.fire.PlanContext;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.Creation;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.OverlapGuard;
import io.belfry.core.leader.task.TaskFactory;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Turns what is due into tasks: the tasks, the skips and the cursor of a job in one commit.
 *
 * <pre>
 *   table ──due──▶ definition ──▶ plan ──▶ commit(cursor unchanged, tasks absent) ──▶ tasks wait for workers
 *     ▲                                          │ refused: read the cursor
 *     └──────────────────────────────────────────┘
 * </pre>
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class JobFirer {
  private static final int ROUND_MAX = 200;
  private static final int IN_FLIGHT_MAX = 1000;

  private final TermLoop loop;
  private final Store store;
  private final TermContext term;
  private final TaskTable table;
  private final JobTable jobs;
  private final CursorWrites cursors;
  private final JobDefinitions definitions;
  private final TaskFactory factory;
  private final LeaderSettings settings;
  private final Observer observer;
  private final CatchUpRate rate;
  private final OverlapReplacer replacer;
  private final Runnable changed;
  private final Backlogs backlogs = new Backlogs();
  private final SkipRanges skips = new SkipRanges();
  private boolean begun;
  /** Whether something was seen in this turn that had been missed. */
  private boolean missedInTurn;

  public JobFirer(
      TermContext term,
      TaskTable table,
      JobTable jobs,
      CursorWrites cursors,
      JobDefinitions definitions,
      TaskFactory factory,
      CatchUpRate rate,
      OverlapReplacer replacer) {
    this.loop = term.loop();
    this.store = term.store();
    this.term = term;
    this.table = table;
    this.jobs = jobs;
    this.cursors = cursors;
    this.definitions = definitions;
    this.factory = factory;
    this.settings = term.settings();
    this.observer = term.observer();
    this.rate = rate;
    this.replacer = replacer;
    this.changed = term.wakeUp();
    jobs.wakeAll(); // a leader before this one may have taken jobs out of their timers
  }

  /** The namespace is paused. */
  public void rest() {
    begun = false;
  }

  /** Fires what is due, as far as there is room. */
  public void fire() {
    Instant now = term.now();
    if (!begun) {
      begun = true;
      rate.begin(now);
    }
    var unread = new ArrayList<JobTable.Due>();
    if (cursors.inFlight() < IN_FLIGHT_MAX) {
      missedInTurn = false;
      jobs.forEachDue(now, ROUND_MAX, due -> take(due, now, unread));
      rate.turned(missedInTurn, now);
    }
    if (!unread.isEmpty()) {
      definitions.read(
          unread.stream().map(JobTable.Due::job).toList(),
          found -> unread.forEach(due -> planRead(due, found)),
          () -> unread.forEach(due -> cursors.again(due.job())));
    }
  }

  /** Whether it is seen to; otherwise it waits for its share. */
  private boolean take(JobTable.Due due, Instant now, List<JobTable.Due> unread) {
    boolean missed = rate.isMissed(due.cursor().next().orElse(now), now);
    missedInTurn |= missed;
    if (missed && !rate.isOpen(now)) {
      jobs.wake(due.job(), rate.place(now));
      return false;
    }
    if (cursors.begin(due.job())) {
      if (missed) {
        rate.take(1, now);
      }
      definitions
          .find(due.job(), due.cursor().generation())
          .ifPresentOrElse(
              known -> plan(due, known, InstantVerdicts.NOTHING), () -> unread.add(due));
    }
    return true;
  }

  /** Otherwise it has moved on, and the cursor with it; or its calendar is not known; or it cannot be read. */
  private void planRead(JobTable.Due due, Map<JobId, JobDefinitions.Known> found) {
    JobDefinitions.Known known = found.get(due.job());
    if (known == null) {
      cursors.refreshSlowly(due.job());
    } else if (known.canPlan(due.cursor().generation())) {
      plan(due, known, InstantVerdicts.NOTHING);
    } else {
      cursors.refresh(due.job());
    }
  }

  /**
   * Plans what is due.
   *
   * @param verdicts what the store has said of the instants
   */
  private void plan(JobTable.Due due, JobDefinitions.Known known, InstantVerdicts verdicts) {
    Instant now = term.now();
    JobId id = due.job();
    long incarnation = known.job().incarnation();
    Set<Instant> made = verdicts.made(table.tasks, due.cursor(), known.job(), now);
    if (incarnation > 1 && made.stream().anyMatch(at -> !verdicts.has(at))) {
      judge(due, known, made, verdicts);
      return;
    }
    var context = new PlanContext(
        table.tasks.unfinished(id), room(due, known, now), made, verdicts.taken(), table.isFull());
    boolean late = rate.isMissed(due.cursor().next().orElse(now), now);
    Plan plan = known
        .rule()
        .plan(due.cursor(), now, settings.grace(), context, backlogs.of(id, known.rule(), late));
    backlogs.planned(id, plan, now);
    if (!plan.changes(due.cursor())) {
      cursors.writeFinished(id);
      return;
    }
    List<Task> tasks = new ArrayList<>();
    Commit.Builder commit = Commit.when().unchanged(Keys.cursor(id), due.revision());
    known.addTo(commit);
    OverlapGuard.guard(
            table.tasks, due.cursor(), known.job(), !plan.fires().isEmpty(), plan.overlaps())
        .accept(commit);
    int missed = 0;
    Optional<SkippedRange> skipped = firstSkip(due, known, plan, context);
    for (Outcome outcome : plan.outcomes()) {
      switch (outcome) {
        case Outcome.Fire fire -> {
          Task task = task(known.job(), fire);
          tasks.add(task);
          commit.absent(Keys.asked(task.id(), incarnation)); // no trigger has asked for it
          missed += rate.isMissed(fire.scheduled(), now) ? 1 : 0;
        }
        case Outcome.Skip(var range) -> {
          SkippedRange stored = skipped
              .filter(joined -> outcome.equals(plan.outcomes().getFirst()))
              .orElse(range);
          commit.put(Keys.skip(id, stored.from()), Records.encode(stored));
        }
      }
    }
    rate.take(Math.max(0, missed - 1), now);
    rate.fired(missed);
    commit.put(Keys.cursor(id), Records.encode(plan.cursor()));
    var batch = new FireBatch(due, known, verdicts, plan, tasks, skipped);
    boolean mayBeAssigned =
        known.edition().isEmpty() // two of them in a batch would both bring the guard
            && plan.outcomes().size() == 1;
    factory.create(new Creation(
        tasks,
        commit.build(),
        revision -> done(batch, revision),
        guard -> refused(batch, guard),
        mayBeAssigned));
  }

  /** The first outcome if it is a skip, together with those before it that belong to it. */
  private Optional<SkippedRange> firstSkip(
      JobTable.Due due, JobDefinitions.Known known, Plan plan, PlanContext context) {
    if (plan.outcomes().isEmpty()
        || !(plan.outcomes().getFirst() instanceof Outcome.Skip(SkippedRange range))) {
      return Optional.empty();
    }
    return Optional.of(
        known.rule().isRegular()
            ? skips.joined(due.job(), due.cursor(), range, context.made())
            : range);
  }

  /** A job that makes up for much does not take more at once than the shares of a second. */
  private int room(JobTable.Due due, JobDefinitions.Known known, Instant now) {
    boolean missed = rate.isMissed(due.cursor().next().orElse(now), now);
    return missed ? Math.min(known.firesMax(), settings.releaseRate()) : known.firesMax();
  }

  /** An unfinished task of an instant is this job's only if it was asked of this job, and not of a deleted one of the same id. */
  private void judge(
      JobTable.Due due, JobDefinitions.Known known, Set<Instant> made, InstantVerdicts before) {
    long incarnation = known.job().incarnation();
    Map<Key, Instant> unknown = new HashMap<>();
    made.stream()
        .filter(at -> !before.has(at))
        .limit(Limits.GET_KEYS_MAX)
        .forEach(at -> unknown.put(Keys.asked(TaskId.fire(due.job(), at), incarnation), at));
    loop.onResult(
        store.get(List.copyOf(unknown.keySet())),
        entries -> {
          var asked = new HashSet<Instant>();
          entries.forEach(entry -> asked.add(unknown.get(entry.key())));
          var taken = new HashSet<>(unknown.values());
          taken.removeAll(asked);
          plan(due, known, before.and(new InstantVerdicts(asked, taken)));
        },
        failure -> cursors.again(due.job()));
  }

  private Task task(Job job, Outcome.Fire fire) {
    return factory.pending(
        TaskId.fire(job.id(), fire.scheduled()),
        factory.work(job),
        job.priority(),
        fire.scheduled(),
        fire.due(),
        Optional.empty());
  }

  private void done(FireBatch batch, long revision) {
    jobs.put(batch.job(), batch.plan().cursor(), revision);
    cursors.writeFinished(batch.job());
    skips.written(batch.job(), batch.plan(), batch.skipped());
    batch.plan().outcomes().forEach(outcome -> {
      if (outcome instanceof Outcome.Skip(var range)) {
        observer.observed(new Happening.FiresSkipped(batch.job(), range));
      }
    });
    replace(batch);
    changed.run();
  }

  private void replace(FireBatch batch) {
    if (batch.plan().replaces()) {
      replacer.by(batch.tasks().getLast().id());
    }
  }

  /**
   * The job was changed, or the task of one of the instants was requested, or it was the leader's own commit whose answer was lost, or a task
   * that was not known is in the way: the records are read.
   */
  private void refused(FireBatch batch, Guard guard) {
    List<Key> keys = batch.taskKeys();
    if (guard.key().space().equals(Keys.DEDUP) || keys.contains(guard.key())) {
      keys.addAll(batch.requestKeys());
      readTasks(batch, keys, found -> passOver(batch, found));
      return;
    }
    if (guard.key().space().equals(Keys.TASKS)) {
      LiveTask live = table.tasks.find(TaskId.parse(guard.key().text()));
      if (live == null) {
        keys.add(guard.key());
      } else if (!live.isFree()) {
        loop.retry(() -> cursors.refresh(batch.job())); // it is about to be known again
        return;
      } else {
        table.reread(live);
      }
    }
    if (keys.isEmpty()) {
      cursors.refresh(batch.job());
    } else {
      readTasks(batch, keys, found -> cursors.refresh(batch.job()));
    }
  }

  private void readTasks(FireBatch batch, List<Key> keys, Consumer<Map<Key, Entry>> then) {
    loop.read(() -> store.get(keys), entries -> {
      Map<Key, Entry> found = new HashMap<>();
      for (Entry entry : entries) {
        found.put(entry.key(), entry);
        if (entry.key().space().equals(Keys.TASKS)) {
          SafeDecoder.read(entry, Stored::task)
              .ifPresent(task -> table.recordStored(task, entry.revision()));
        }
      }
      replace(batch);
      then.accept(found);
    });
  }

  /** Plans again by what the store has said of the instants; waits where it says nothing yet. */
  private void passOver(FireBatch batch, Map<Key, Entry> found) {
    InstantVerdicts verdicts = InstantVerdicts.of(batch.tasks(), batch.incarnation(), found);
    Optional<Cursor> cursor = jobs.cursor(batch.job());
    if (verdicts.isEmpty()
        || cursor.isEmpty()
        || !cursor.get().equals(batch.due().cursor())) {
      cursors.refresh(batch.job());
    } else {
      plan(batch.due(), batch.known(), batch.verdicts().and(verdicts));
    }
  }
}
