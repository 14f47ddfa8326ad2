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
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.History;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

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
  private final Definitions definitions;
  private final ReignSettings settings;
  private final Observer observer;
  private final Serial serial;
  private final BiConsumer<TaskId, CancelRequest> replace;
  private final Runnable changed;
  private final Set<JobId> away = new HashSet<>();
  private int released;
  private Instant releasedIn = Instant.MIN;

  Firing(
      Loop loop,
      Store store,
      Fenced fenced,
      TaskBook book,
      JobTable jobs,
      Definitions definitions,
      ReignSettings settings,
      Observer observer,
      BiConsumer<TaskId, CancelRequest> replace,
      Runnable changed) {
    this.loop = loop;
    this.store = store;
    this.fenced = fenced;
    this.book = book;
    this.jobs = jobs;
    this.definitions = definitions;
    this.settings = settings;
    this.observer = observer;
    this.serial = new Serial(settings.intake().payloads());
    this.replace = replace;
    this.changed = changed;
    book.onEnd((live, end) -> end.id().jobId().ifPresent(job -> ended(job, end)));
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
    if (away.size() < AWAY_MAX) {
      jobs.forEachDue(now, ROUND_MAX, due -> take(due, now, unread));
    }
    if (!unread.isEmpty()) {
      definitions.read(
          unread.stream().map(JobTable.Due::job).toList(),
          found -> unread.forEach(due -> planRead(due, found)),
          () -> unread.forEach(due -> again(due.job())));
    }
  }

  private void take(JobTable.Due due, Instant now, List<JobTable.Due> unread) {
    if (!mayRelease(due, now)) {
      jobs.wake(due.job(), now.plusMillis(1000 - now.toEpochMilli() % 1000));
    } else if (away.add(due.job())) {
      definitions
          .find(due.job(), due.cursor().generation())
          .ifPresentOrElse(known -> plan(due, known), () -> unread.add(due));
    }
  }

  /** What is late waits for its share, so that it does not push aside what is on time. */
  private boolean mayRelease(JobTable.Due due, Instant now) {
    Instant on = due.cursor().next().orElse(now);
    if (!on.isBefore(now.minus(settings.grace()))) {
      return true;
    }
    Instant second = Instant.ofEpochSecond(now.getEpochSecond());
    if (!second.equals(releasedIn)) {
      releasedIn = second;
      released = 0;
    }
    return ++released <= settings.releaseRate();
  }

  /** Otherwise it has moved on, and the cursor with it; or its calendar has not been heard of. */
  private void planRead(JobTable.Due due, Map<JobId, Definitions.Known> found) {
    Optional.ofNullable(found.get(due.job()))
        .filter(known -> known.canPlan(due.cursor().generation()))
        .ifPresentOrElse(known -> plan(due, known), () -> refresh(due.job()));
  }

  private void plan(JobTable.Due due, Definitions.Known known) {
    Instant now = loop.time().wall();
    JobId id = due.job();
    Plan plan = known.rule().plan(due.cursor(), now, settings.grace(), book.tasks.unfinished(id));
    if (!plan.changes(due.cursor())) {
      away.remove(id);
      due.cursor().next().ifPresent(at -> jobs.wake(id, at));
      return;
    }
    List<Task> tasks = new ArrayList<>();
    Commit.Builder commit = fenced.commit().unchanged(Keys.cursor(id), due.revision());
    known.addTo(commit);
    guardPrevious(commit, due.cursor(), plan, known.job());
    for (Outcome outcome : plan.outcomes()) {
      switch (outcome) {
        case Outcome.Fire fire -> {
          Task task = task(known.job(), fire, now);
          tasks.add(task);
          commit.absent(Keys.task(task.id())).put(Keys.task(task.id()), Records.encode(task));
        }
        case Outcome.Skip(var range) ->
          commit.put(Keys.skip(id, range.from()), Records.encode(range));
      }
    }
    commit.put(Keys.cursor(id), Records.encode(plan.cursor()));
    fenced.send(
        commit, revision -> done(id, plan, tasks, revision), guard -> refused(id, tasks, guard));
  }

  /** Whether the previous task is still there is decided by the store, not by what we remember. */
  private void guardPrevious(Commit.Builder commit, Cursor cursor, Plan plan, Job job) {
    if (job.overlap() != OverlapPolicy.SKIP || cursor.previous().isEmpty()) {
      return;
    }
    TaskId previous = cursor.previous().get();
    LiveTask live = book.tasks.find(previous);
    boolean overlaps = plan.outcomes().stream()
        .anyMatch(outcome ->
            outcome instanceof Outcome.Skip(var range) && range.reason() == SkipReason.OVERLAP);
    if (!plan.fires().isEmpty() && live == null) {
      commit.absent(Keys.task(previous));
    } else if (overlaps && live != null && plan.fires().isEmpty() && !live.away) {
      commit.unchanged(Keys.task(previous), live.revision);
    }
  }

  /**
   * Its commit is over. The table may have heard the new cursor before we heard the answer, and the job may have been due by it while it
   * was away, and have been passed over: so it is woken whatever the table knows.
   */
  private void isBack(JobId job) {
    away.remove(job);
    jobs.cursor(job)
        .filter(Cursor::active)
        .flatMap(Cursor::next)
        .ifPresent(at -> jobs.wake(job, at));
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
    isBack(job);
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
      refresh(job);
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
          refresh(job);
        },
        failure -> {
          var unused = loop.in(PAUSE, () -> takeIn(job, keys));
        });
  }

  /** The cursor is not as believed: takes in what stands there, and tries again if that is still due. */
  private void refresh(JobId job) {
    loop.hear(
        store.get(List.of(Keys.cursor(job))),
        found -> {
          away.remove(job);
          for (Entry entry : found) {
            Cursor cursor = Records.cursor(entry.value());
            if (!jobs.put(job, cursor, entry.revision())) {
              cursor.next().ifPresent(at -> jobs.wake(job, inAWhile(at)));
            }
          }
          changed.run();
        },
        failure -> again(job));
  }

  /** Not at once, however long it has been due: what stands in the way may stand there for long. */
  private Instant inAWhile(Instant due) {
    Instant now = loop.time().wall();
    return (due.isAfter(now) ? due : now).plus(PAUSE);
  }

  private void again(JobId job) {
    var unused = loop.in(PAUSE, () -> refresh(job));
  }

  /** A fixed delay goes on from the end of the task. */
  private void ended(JobId job, Task end) {
    Optional<Cursor> cursor = jobs.cursor(job);
    boolean waits = cursor.isPresent()
        && cursor.get().active()
        && cursor.get().next().isEmpty()
        && cursor.get().previous().equals(Optional.of(end.id()));
    if (waits && away.add(job)) {
      definitions.read(
          List.of(job), found -> goOn(job, end, found.get(job)), () -> retryEnd(job, end));
    }
  }

  private void retryEnd(JobId job, Task end) {
    var unused = loop.in(PAUSE, () -> {
      away.remove(job);
      ended(job, end);
    });
  }

  private void goOn(JobId job, Task end, Definitions.@Nullable Known known) {
    Optional<Cursor> before = jobs.cursor(job);
    if (known != null && known.plan().isEmpty()) {
      retryEnd(job, end);
      return;
    }
    if (known == null || before.isEmpty()) {
      isBack(job);
      return;
    }
    Instant at = end.ended().orElseGet(() -> loop.time().wall());
    Optional<Cursor> after = known.rule().ended(before.get(), end.id(), at);
    if (after.isEmpty()) {
      isBack(job);
      return;
    }
    Commit.Builder commit =
        fenced.commit().unchanged(Keys.cursor(job), jobs.revision(job).orElseThrow());
    known.addTo(commit);
    fenced.send(
        commit.absent(Keys.task(end.id())).put(Keys.cursor(job), Records.encode(after.get())),
        revision -> {
          jobs.put(job, after.get(), revision);
          isBack(job);
          changed.run();
        },
        guard -> {
          refresh(job);
          var unused = loop.in(PAUSE, () -> ended(job, end));
        });
  }

  /** Fixed delays whose task ended while nobody led. */
  void resumeDelays() {
    var waiting = new ArrayList<JobTable.Due>();
    jobs.forEach(due -> {
      Cursor cursor = due.cursor();
      boolean over = cursor.active()
          && cursor.next().isEmpty()
          && cursor.previous().isPresent()
          && !book.knows(cursor.previous().get());
      if (over) {
        waiting.add(due);
      }
    });
    for (JobTable.Due due : waiting) {
      if (away.add(due.job())) {
        TaskId previous = due.cursor().previous().orElseThrow();
        definitions.read(
            List.of(due.job()),
            found -> {
              Definitions.Known known = found.get(due.job());
              if (known == null) {
                away.remove(due.job());
              } else {
                goOn(due.job(), ghost(known.job(), previous), known);
              }
            },
            () -> {
              away.remove(due.job());
              var unused = loop.in(PAUSE, this::resumeDelays);
            });
      }
    }
  }

  /** Stands for a task of which only the end is known. */
  private Task ghost(Job job, TaskId id) {
    Instant now = loop.time().wall();
    return Task.pending(id, job.work(), job.priority(), now, now);
  }
}
