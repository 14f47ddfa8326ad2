package io.belfry.core.reign;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.core.fire.JobTable;
import io.belfry.core.fire.Outcome;
import io.belfry.core.fire.Plan;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.core.record.Stored;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.History;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Turns what is due into tasks: the tasks, the skips and the cursor of a job in one commit.
 *
 * <pre>
 *   table ──due──▶ definition ──▶ plan ──▶ commit(cursor unchanged, tasks absent) ──▶ tasks wait for workers
 *     ▲                                          │ refused: read the cursor
 *     └──────────────────────────────────────────┘
 * </pre>
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Firing {
  private static final int ROUND_MAX = 200;
  private static final int AWAY_MAX = 1000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Loop loop;
  private final Store store;
  private final Fenced fenced;
  private final TaskBook book;
  private final JobTable jobs;
  private final CursorWrites cursors;
  private final Definitions definitions;
  private final Births births;
  private final ReignSettings settings;
  private final Observer observer;
  private final Serial serial;
  private final Release release;
  private final BooleanSupplier decides;
  private final BiConsumer<TaskId, CancelRequest> replace;
  private final Runnable changed;

  /**
   * Fires for one reign.
   *
   * @param decides whether we lead, by a calendar that nobody has just set: asked whenever what is due was waiting for an answer
   */
  Firing(
      Loop loop,
      Store store,
      Fenced fenced,
      TaskBook book,
      JobTable jobs,
      CursorWrites cursors,
      Definitions definitions,
      Births births,
      ReignSettings settings,
      Observer observer,
      BooleanSupplier decides,
      BiConsumer<TaskId, CancelRequest> replace,
      Runnable changed) {
    this.loop = loop;
    this.store = store;
    this.fenced = fenced;
    this.book = book;
    this.jobs = jobs;
    this.cursors = cursors;
    this.definitions = definitions;
    this.births = births;
    this.settings = settings;
    this.observer = observer;
    this.serial = new Serial(settings.intake().payloads());
    this.release = new Release(settings);
    this.decides = decides;
    this.replace = replace;
    this.changed = changed;
    armAll();
  }

  /** A reign before this one may have taken jobs out of their timers; and fixed delays may wait for ends that nobody told. */
  private void armAll() {
    var waiting = new ArrayList<JobTable.Due>();
    jobs.forEach(due -> {
      Cursor cursor = due.cursor();
      if (cursor.active() && cursor.next().isPresent()) {
        waiting.add(due);
      }
    });
    waiting.forEach(due -> jobs.wake(due.job(), due.cursor().next().orElseThrow()));
  }

  /** Fires what is due, as far as there is room. */
  void fire() {
    Instant now = loop.time().wall();
    var unread = new ArrayList<JobTable.Due>();
    if (cursors.away() < AWAY_MAX) {
      jobs.forEachDue(now, ROUND_MAX, due -> take(due, now, unread));
    }
    if (!unread.isEmpty()) {
      definitions.read(
          unread.stream().map(JobTable.Due::job).toList(),
          found -> unread.forEach(due -> planRead(due, found)),
          () -> unread.forEach(due -> cursors.again(due.job())));
    }
  }

  private void take(JobTable.Due due, Instant now, List<JobTable.Due> unread) {
    if (!release.allows(due.cursor().next().orElse(now), now)) {
      jobs.wake(due.job(), now.plusMillis(1000 - now.toEpochMilli() % 1000));
    } else if (cursors.begin(due.job())) {
      definitions
          .find(due.job(), due.cursor().generation())
          .ifPresentOrElse(known -> plan(due, known, true), () -> unread.add(due));
    }
  }

  /** Otherwise it has moved on, and the cursor with it; or its calendar has not been heard of. */
  private void planRead(JobTable.Due due, Map<JobId, Definitions.Known> found) {
    if (!decides.getAsBoolean()) {
      return;
    }
    Optional.ofNullable(found.get(due.job()))
        .filter(known -> known.canPlan(due.cursor().generation()))
        .ifPresentOrElse(known -> plan(due, known, false), () -> cursors.refresh(due.job()));
  }

  /** Plans what is due; in a turn, what is to be assigned by the end of it may be created as a worker's already. */
  private void plan(JobTable.Due due, Definitions.Known known, boolean inTurn) {
    Instant now = loop.time().wall();
    JobId id = due.job();
    Plan plan = known
        .rule()
        .plan(due.cursor(), now, settings.grace(), book.tasks.unfinished(id), known.firesMax());
    if (!plan.changes(due.cursor())) {
      cursors.isBack(id);
      return;
    }
    List<Task> tasks = new ArrayList<>();
    Commit.Builder commit = Commit.when().unchanged(Keys.cursor(id), due.revision());
    known.addTo(commit);
    Previous.guard(commit, book.tasks, due.cursor(), plan, known.job());
    for (Outcome outcome : plan.outcomes()) {
      switch (outcome) {
        case Outcome.Fire fire -> tasks.add(task(known.job(), fire, now));
        case Outcome.Skip(var range) ->
          commit.put(Keys.skip(id, range.from()), Records.encode(range));
      }
    }
    commit.put(Keys.cursor(id), Records.encode(plan.cursor()));
    Commit rest = commit.build();
    boolean given = inTurn
        && known.edition().isEmpty() // two of them in a lot would both bring the guard
        && plan.outcomes().size() == 1
        && tasks.size() == 1
        && births.expect(tasks.getFirst(), now, birth(id, plan, tasks, rest));
    if (!given) {
      create(id, plan, tasks, rest);
    }
  }

  private Birth birth(JobId id, Plan plan, List<Task> tasks, Commit rest) {
    return new Birth(
        rest,
        revision -> {
          tasks.forEach(task -> observer.saw(new Happening.TaskSubmitted(task)));
          done(id, plan, List.of(), revision);
        },
        () -> create(id, plan, tasks, rest));
  }

  /** The tasks, to wait for workers, and what belongs to them. */
  private void create(JobId id, Plan plan, List<Task> tasks, Commit rest) {
    Commit.Builder commit = fenced.commit().also(rest);
    for (Task task : tasks) {
      Key key = Keys.task(task.id());
      commit.absent(key).put(key, Records.encode(task));
    }
    fenced.send(
        commit, revision -> done(id, plan, tasks, revision), guard -> refused(id, tasks, guard));
  }

  private Task task(Job job, Outcome.Fire fire, Instant now) {
    return new Task(
        TaskId.fire(job.id(), fire.scheduled()),
        serial.work(job, job.work()),
        fire.scheduled(),
        now,
        job.priority(),
        Optional.empty(),
        new TaskState.Pending(fire.due()),
        Optional.empty(),
        History.NONE);
  }

  private void done(JobId job, Plan plan, List<Task> tasks, long revision) {
    jobs.put(job, plan.cursor(), revision);
    cursors.isBack(job);
    plan.outcomes().forEach(outcome -> {
      if (outcome instanceof Outcome.Skip(var range)) {
        observer.saw(new Happening.FiresSkipped(job, range));
      }
    });
    for (Task task : tasks) {
      book.stands(task, revision);
    }
    plan.replaced()
        .ifPresent(previous -> replace.accept(
            previous,
            new CancelRequest(
                "belfry",
                "a later fire of job " + job + " replaces it",
                loop.time().wall())));
    changed.run();
  }

  /**
   * Somebody changed the job, or it was our own commit whose answer got lost, or a task stands in the way that we did not know of: what
   * stands in the store is taken in.
   */
  private void refused(JobId job, List<Task> tasks, Guard guard) {
    var keys = new ArrayList<Key>();
    tasks.forEach(task -> keys.add(Keys.task(task.id())));
    if (guard.key().space().equals(Keys.TASKS)) {
      LiveTask live = book.tasks.find(TaskId.parse(guard.key().text()));
      if (live != null && !live.away) {
        book.refresh(live);
      } else if (live == null && !keys.contains(guard.key())) {
        keys.add(guard.key());
      }
    }
    if (keys.isEmpty()) {
      cursors.refresh(job);
    } else {
      takeIn(job, keys);
    }
  }

  private void takeIn(JobId job, List<Key> keys) {
    loop.hear(
        store.get(keys),
        found -> {
          found.forEach(entry -> Legible.read(entry, Stored::task)
              .ifPresent(task -> book.stands(task, entry.revision())));
          cursors.refresh(job);
        },
        failure -> {
          var unused = loop.in(PAUSE, () -> takeIn(job, keys));
        });
  }
}
