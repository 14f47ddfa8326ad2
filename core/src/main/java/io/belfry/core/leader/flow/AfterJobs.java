package io.belfry.core.leader.flow;

import io.belfry.core.commit.CommitLimits;
import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.core.fire.AfterPlan;
import io.belfry.core.fire.JobTable;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.fire.CatchUpRate;
import io.belfry.core.leader.fire.OverlapReplacer;
import io.belfry.core.leader.task.TaskFactory;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.core.record.Segment;
import io.belfry.core.retain.Debts;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Starts the jobs that run after others, once for each end.
 *
 * <pre>
 *   reports, own ends, a scan, folding ──lots──▶ read ──▶ who follows? ──▶ commit(lot, edition and cursors unchanged):
 *                                                  ▲                          tasks, skips, cursors, and how far the lot has come
 *                                                  └── refused, or more ◀─────────┘
 * </pre>
 *
 * <p>The lot of the ended tasks is what makes it happen once: it is rewritten by the commit that starts what follows, and is not folded
 * before nothing is owed any more. Whoever leads next finds it there. One commit is under way at a time.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class AfterJobs implements Debts {
  private static final int LOTS_AT_ONCE = 100;

  private final TermLoop loop;
  private final Store store;
  private final TermCommitter committer;
  private final TaskTable table;
  private final JobTable jobs;
  private final AfterJobIndex after;
  private final TermContext term;
  private final TaskFactory factory;
  private final Observer observer;
  private final CatchUpRate rate;
  private final OverlapReplacer replacer;
  private final Runnable changed;
  private final String writer;
  private final Set<Key> waiting = new LinkedHashSet<>();
  private final BlockedSegments blocked = new BlockedSegments();
  private long skipLots;
  private boolean busy;

  public AfterJobs(
      TermContext term,
      TaskTable table,
      TaskFactory factory,
      JobTable jobs,
      AfterJobIndex after,
      CatchUpRate rate,
      OverlapReplacer replacer,
      String writer) {
    this.loop = term.loop();
    this.store = term.store();
    this.committer = term.committer();
    this.table = table;
    this.jobs = jobs;
    this.after = after;
    this.term = term;
    this.factory = factory;
    this.observer = term.observer();
    this.rate = rate;
    this.replacer = replacer;
    this.changed = term.wakeUp();
    this.writer = writer;
  }

  /** Tasks have ended, and lie in this lot. */
  public void ended(Key lot, List<Task> tasks) {
    if (tasks.stream().anyMatch(after::mayFollow)) {
      wants(lot);
    }
  }

  /** Ends of which nobody told us: those before our time, or while we could not hear. */
  public void look() {
    if (!after.isEmpty()) {
      read(Scan.all(Keys.FRESH_HISTORY).limit(LOTS_AT_ONCE));
    }
  }

  private void read(Scan scan) {
    loop.read(() -> store.scan(scan), this::took);
  }

  private void took(Page page) {
    for (Entry lot : page.entries()) {
      Legible.read(lot, each -> Records.segment(each.value()))
          .ifPresent(segment -> owes(lot, segment));
    }
    page.next().ifPresent(this::read);
  }

  @Override
  public boolean owes(Entry lot, Segment segment) {
    boolean owes = !after.owed(lot, segment).isEmpty();
    if (owes) {
      wants(lot.key());
    }
    return owes;
  }

  @Override
  public Consumer<Commit.Builder> asOfNow() {
    return after.asOfNow();
  }

  private void wants(Key lot) {
    if (!blocked.contains(lot) && waiting.add(lot)) {
      changed.run();
    }
  }

  /** Takes up the next lot, unless one is under way. */
  public void follow() {
    if (!busy && !waiting.isEmpty()) {
      busy = true;
      begin(waiting.iterator().next());
    }
  }

  private void begin(Key lot) {
    loop.onResult(
        store.get(List.of(lot)),
        found -> {
          found.stream()
              .findFirst()
              .ifPresentOrElse(entry -> judge(entry), () -> done(lot)); // folded: nothing is owed
        },
        failure -> release());
  }

  private void judge(Entry lot) {
    Optional<Segment> segment = Legible.read(lot, each -> Records.segment(each.value()));
    List<AfterJobIndex.Owed> owed = segment.map(each -> after.owed(lot, each)).orElse(List.of());
    if (owed.isEmpty()) {
      done(lot.key());
      return;
    }
    if (isMissed(owed.getFirst()) && !rate.isOpen(loop.time().wall())) {
      release();
      return;
    }
    Consumer<Commit.Builder> asJudged = after.asOfNow();
    List<AfterJobIndex.Owed> some =
        owed.subList(0, Math.min(owed.size(), CommitLimits.AFTER_JOBS.items()));
    var keys = new ArrayList<Key>();
    var ids = new TreeSet<JobId>();
    some.forEach(each -> ids.add(each.job()));
    ids.forEach(id -> {
      keys.add(Keys.job(id));
      keys.add(Keys.cursor(id));
    });
    loop.onResult(
        store.get(keys),
        found -> {
          Map<Key, Entry> answers = new HashMap<>();
          found.forEach(entry -> answers.put(entry.key(), entry));
          AfterJobBatch.of(lot, segment.orElseThrow(), owed, some, answers, table, factory, term)
              .ifPresentOrElse(
                  draft -> commit(draft, asJudged),
                  () -> notYet(lot.key(), some.getFirst().job(), answers));
        },
        failure -> release());
  }

  /** The book of followers is behind; or the definition of the job cannot be read, for which the other lots do not wait. */
  private void notYet(Key lot, JobId job, Map<Key, Entry> answers) {
    if (AfterJobBatch.isLegible(job, answers)) {
      release();
      return;
    }
    if (blocked.add(lot, job)) {
      loop.retryRarely(() -> blocked.takeOne(job).ifPresent(this::wants));
    }
    done(lot);
  }

  /** Whether it should have been started before anybody was there to do so. */
  private boolean isMissed(AfterJobIndex.Owed owed) {
    Instant now = loop.time().wall();
    return rate.isMissed(owed.end().ended().orElse(now), now);
  }

  private void commit(AfterJobBatch draft, Consumer<Commit.Builder> asJudged) {
    Commit.Builder commit = committer.commit();
    asJudged.accept(commit);
    draft.addTo(commit, () -> Keys.freshHistory(writer + ".skips", ++skipLots));
    committer.send(commit, revision -> done(draft, revision), guard -> {
      // Perhaps by our own commit, whose answer got lost: then its tasks stand there.
      draft.tasks().forEach(task -> table.load(task.id(), () -> replaceBy(draft, task.id())));
      if (guard.key().space().equals(Keys.TASKS)) {
        table.recheck(TaskId.parse(guard.key().text()));
      }
      release();
    });
  }

  private void done(AfterJobBatch draft, long revision) {
    draft.cursors().forEach((job, cursor) -> jobs.put(job, cursor, revision));
    if (!blocked.isEmpty()) {
      draft.followers().forEach(job -> blocked.takeAll(job).forEach(this::wants));
    }
    rate.take(draft.missed(rate, loop.time().wall()), loop.time().wall());
    for (AfterPlan.Decided skip : draft.skips()) {
      var range = new SkippedRange(skip.at(), skip.at(), 1, true, skip.skipped().orElseThrow());
      observer.observed(new Happening.FiresSkipped(skip.id().jobId().orElseThrow(), range));
    }
    draft.tasks().forEach(task -> table.recordStored(task, revision));
    draft.tasks().forEach(task -> replaceBy(draft, task.id()));
    if (draft.isLast()) {
      done(draft.lot());
    } else {
      busy = false;
      changed.run();
    }
  }

  private void replaceBy(AfterJobBatch draft, TaskId task) {
    if (draft.replaces(task)) {
      replacer.by(task);
    }
  }

  private void done(Key lot) {
    waiting.remove(lot);
    blocked.left(lot).forEach(this::wants);
    busy = false;
    changed.run();
  }

  /** Something was not as believed: after a while, with another lot first, so that none waits for one that cannot be done. */
  private void release() {
    loop.retry(() -> {
      Key first = waiting.iterator().next();
      waiting.remove(first);
      waiting.add(first);
      busy = false;
      changed.run();
    });
  }
}
