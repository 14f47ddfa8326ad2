package io.belfry.core.leader.flow;

import io.belfry.core.commit.CommitLimits;
import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.core.fire.AfterPlan;
import io.belfry.core.fire.JobTable;
import io.belfry.core.history.FoldBlockers;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.fire.CatchUpRate;
import io.belfry.core.leader.fire.OverlapReplacer;
import io.belfry.core.leader.task.TaskFactory;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
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
 *   reports, own ends, a scan, folding ──history batches──▶ read ──▶ which jobs follow? ──▶ commit(history batch, edition, cursors unchanged):
 *                                                  ▲                            tasks, skips, cursors, progress of the history batch
 *                                                  └── refused, or more ◀─────────┘
 * </pre>
 *
 * <p>The history batch of the ended tasks makes it happen once: the commit that starts what follows rewrites the history batch, and a history batch
 * is folded only when nothing is owed any more. The next leader finds it there. One commit is in flight at a time.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class AfterJobs implements FoldBlockers {
  private static final int ENDED_BATCHES_AT_ONCE = 100;

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
  private final BlockedEndedBatches blocked = new BlockedEndedBatches();
  private long skipEndedBatches;
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

  /** Tasks have ended, and are stored in this history batch. */
  public void ended(Key source, List<Task> tasks) {
    if (tasks.stream().anyMatch(after::mayFollow)) {
      enqueue(source);
    }
  }

  /** Finds ends that were not reported to this leader: those before its term, or during a gap of its watch. */
  public void check() {
    if (!after.isEmpty()) {
      read(Scan.all(Keys.FRESH_HISTORY).limit(ENDED_BATCHES_AT_ONCE));
    }
  }

  private void read(Scan scan) {
    loop.read(() -> store.scan(scan), this::takePage);
  }

  private void takePage(Page page) {
    for (Entry source : page.entries()) {
      SafeDecoder.read(source, each -> Records.endedBatch(each.value()))
          .ifPresent(endedBatch -> owes(source, endedBatch));
    }
    page.next().ifPresent(this::read);
  }

  @Override
  public boolean owes(Entry source, EndedBatch endedBatch) {
    boolean owes = !after.owed(source, endedBatch).isEmpty();
    if (owes) {
      enqueue(source.key());
    }
    return owes;
  }

  @Override
  public Consumer<Commit.Builder> asOfNow() {
    return after.asOfNow();
  }

  private void enqueue(Key source) {
    if (!blocked.contains(source) && waiting.add(source)) {
      changed.run();
    }
  }

  /** Begins with the next history batch, unless one is in progress. */
  public void follow() {
    if (!busy && !waiting.isEmpty()) {
      busy = true;
      begin(waiting.iterator().next());
    }
  }

  private void begin(Key source) {
    loop.onResult(
        store.get(List.of(source)),
        found -> {
          found.stream()
              .findFirst()
              .ifPresentOrElse(
                  entry -> judge(entry), () -> done(source)); // folded: nothing is owed
        },
        failure -> release());
  }

  private void judge(Entry source) {
    Optional<EndedBatch> endedBatch =
        SafeDecoder.read(source, each -> Records.endedBatch(each.value()));
    List<AfterJobIndex.Owed> owed =
        endedBatch.map(each -> after.owed(source, each)).orElse(List.of());
    if (owed.isEmpty()) {
      done(source.key());
      return;
    }
    if (isMissed(owed.getFirst()) && !rate.isOpen(loop.time().wall())) {
      release();
      return;
    }
    Consumer<Commit.Builder> guards = after.asOfNow();
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
          AfterJobBatch.of(
                  source, endedBatch.orElseThrow(), owed, some, answers, table, factory, term)
              .ifPresentOrElse(
                  batch -> commit(batch, guards),
                  () -> notYet(source.key(), some.getFirst().job(), answers));
        },
        failure -> release());
  }

  /** The index of followers is behind; or the definition of the job cannot be read, for which the other history batches do not wait. */
  private void notYet(Key source, JobId job, Map<Key, Entry> answers) {
    if (AfterJobBatch.isLegible(job, answers)) {
      release();
      return;
    }
    if (blocked.add(source, job)) {
      loop.retryRarely(() -> blocked.takeOne(job).ifPresent(this::enqueue));
    }
    done(source);
  }

  /** Whether it should have been started before anybody was there to do so. */
  private boolean isMissed(AfterJobIndex.Owed owed) {
    Instant now = loop.time().wall();
    return rate.isMissed(owed.end().ended().orElse(now), now);
  }

  private void commit(AfterJobBatch batch, Consumer<Commit.Builder> guards) {
    Commit.Builder commit = committer.commit();
    guards.accept(commit);
    batch.addTo(commit, () -> Keys.freshHistory(writer + ".skips", ++skipEndedBatches));
    committer.send(commit, revision -> done(batch, revision), guard -> {
      // Perhaps by the leader's own commit, whose answer was lost: then its tasks are stored.
      batch.tasks().forEach(task -> table.load(task.id(), () -> replaceBy(batch, task.id())));
      if (guard.key().space().equals(Keys.TASKS)) {
        table.recheck(TaskId.parse(guard.key().text()));
      }
      release();
    });
  }

  private void done(AfterJobBatch batch, long revision) {
    batch.cursors().forEach((job, cursor) -> jobs.put(job, cursor, revision));
    if (!blocked.isEmpty()) {
      batch.followers().forEach(job -> blocked.takeAll(job).forEach(this::enqueue));
    }
    rate.take(batch.missed(rate, loop.time().wall()), loop.time().wall());
    for (AfterPlan.Decided skip : batch.skips()) {
      var range = new SkippedRange(skip.at(), skip.at(), 1, true, skip.skipped().orElseThrow());
      observer.observed(new Happening.FiresSkipped(skip.id().jobId().orElseThrow(), range));
    }
    batch.tasks().forEach(task -> table.recordStored(task, revision));
    batch.tasks().forEach(task -> replaceBy(batch, task.id()));
    if (batch.isLast()) {
      done(batch.source());
    } else {
      busy = false;
      changed.run();
    }
  }

  private void replaceBy(AfterJobBatch batch, TaskId task) {
    if (batch.replaces(task)) {
      replacer.by(task);
    }
  }

  private void done(Key source) {
    waiting.remove(source);
    blocked.left(source).forEach(this::enqueue);
    busy = false;
    changed.run();
  }

  /** Something differed from what was known. Tries again after a pause, with another history batch first, so that none blocks the others. */
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
