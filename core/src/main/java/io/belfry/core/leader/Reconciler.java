package io.belfry.core.leader;

import io.belfry.core.fire.JobTable;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.fire.CursorWrites;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.store.Page;
import io.belfry.store.Revision;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the cached tasks and cursors of the leader with the store, slowly and all the time. Nothing depends on it: every change is
 * delivered by a watch, and after a gap everything is read again. It finds changes that were lost without a sign of a gap.
 *
 * <pre>
 *   page ──▶ differs from the cache? ──a moment later, still──▶ read again, corrected, counted
 *    ▲                                                                  what is cached and was on no page: likewise
 *    └── pause: so long that a round takes as long as it may
 * </pre>
 *
 * <p>A single difference says little, because the change may be on its way: so each is checked twice.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
  private static final int PAGE = 500;
  /** Of a namespace with a million tasks, a page every 300 ms is a round in ten minutes. */
  private static final int PAGES_A_ROUND = 2_000;

  private static final Duration MOMENT = Duration.ofSeconds(5);

  private final TermLoop loop;
  private final Store store;
  private final TaskTable table;
  private final JobTable jobs;
  private final CursorWrites cursors;
  private final Duration round;
  private final AtomicLong repaired;
  private final Runnable changed;
  private long rounds;

  /**
   * A reconciler that has not begun.
   *
   * @param repaired counts what was found
   */
  Reconciler(
      TermContext term, TaskTable table, JobTable jobs, CursorWrites cursors, AtomicLong repaired) {
    this.loop = term.loop();
    this.store = term.store();
    this.table = table;
    this.jobs = jobs;
    this.cursors = cursors;
    this.round = term.settings().reconcileEvery();
    this.repaired = repaired;
    this.changed = term.wakeUp();
  }

  void start() {
    in(round, this::begin);
  }

  private void begin() {
    rounds++;
    long of = rounds;
    long began = loop.time().nanos();
    read(Scan.all(Keys.TASKS), Revision.NONE, page -> compareTasks(page, of), since -> {
      unseen(of, since);
      read(Scan.all(Keys.CURSORS), since, this::compareCursors, unused -> rest(began));
    });
  }

  private void rest(long began) {
    Duration left = round.minusNanos(loop.time().nanos() - began);
    in(left.compareTo(MOMENT) < 0 ? MOMENT : left, this::begin);
  }

  /**
   * Reads a space page by page.
   *
   * @param since the revision of the first page of the round, if there was one
   * @param then is given that revision
   */
  private void read(Scan scan, long since, Consumer<Page> each, Consumer<Long> then) {
    loop.onResult(
        store.scan(scan.limit(PAGE)),
        page -> {
          long first = since == Revision.NONE ? page.revision() : since;
          each.accept(page);
          page.next()
              .ifPresentOrElse(
                  next -> in(round.dividedBy(PAGES_A_ROUND), () -> read(next, first, each, then)),
                  () -> then.accept(first));
        },
        failure -> in(MOMENT, () -> read(scan, since, each, then)));
  }

  private void compareTasks(Page page, long of) {
    List<Entry> differing = new ArrayList<>();
    for (Entry entry : page.entries()) {
      if (!SafeDecoder.isNamed(entry.key(), TaskId::parse)) {
        continue;
      }
      table.seenInRound(id(entry), of);
      if (differs(entry)) {
        differing.add(entry);
      }
    }
    if (!differing.isEmpty()) {
      in(MOMENT, () -> readAgain(differing.stream().filter(this::differs).toList()));
    }
  }

  /** Not while a commit over it is in flight, whose answer decides. */
  private boolean differs(Entry entry) {
    return table.differs(id(entry), entry.revision());
  }

  /** Most of them are over by now, on a busy leader. */
  private void readAgain(List<Entry> differing) {
    if (differing.isEmpty()) {
      return;
    }
    loop.onResult(
        store.get(differing.stream().map(Entry::key).toList()),
        found -> {
          found.stream().filter(this::differs).forEach(this::correct);
        },
        failure -> in(MOMENT, () -> readAgain(differing)));
  }

  private void correct(Entry entry) {
    SafeDecoder.read(entry, Stored::task).ifPresent(task -> {
      count("task " + task.id() + " differed from the store");
      table.recordStored(task, entry.revision());
    });
  }

  private static TaskId id(Entry entry) {
    return TaskId.parse(entry.key().text());
  }

  /** Those that were cached before the round began, and were on none of its pages. */
  private void unseen(long of, long since) {
    List<LiveTask> missing = new ArrayList<>();
    for (LiveTask live : table.tasks.all()) {
      if (isMissing(live, of, since) && missing.size() < PAGE) {
        missing.add(live);
      }
    }
    if (!missing.isEmpty()) {
      in(MOMENT, () -> {
        for (LiveTask live : missing) {
          boolean known = table.tasks.find(live.id()) == live;
          if (known && isMissing(live, of, since)) {
            count("task " + live.id() + " had ended");
            table.reread(live);
          }
        }
      });
    }
  }

  private static boolean isMissing(LiveTask live, long of, long since) {
    return live.isFree() && live.seenInRound() != of && live.revision() <= since;
  }

  private void compareCursors(Page page) {
    List<Entry> differing = page.entries().stream()
        .filter(entry -> SafeDecoder.isNamed(entry.key(), JobId::new))
        .filter(entry -> differs(new JobId(entry.key().text()), entry))
        .toList();
    if (!differing.isEmpty()) {
      in(MOMENT, () -> {
        for (Entry entry : differing) {
          var job = new JobId(entry.key().text());
          if (differs(job, entry) && cursors.begin(job)) {
            count("the cursor of job " + job + " differed from the store");
            cursors.refresh(job);
          }
        }
      });
    }
  }

  private boolean differs(JobId job, Entry entry) {
    return jobs.revision(job).orElse(Revision.NONE) < entry.revision()
        && SafeDecoder.read(entry, each -> Records.cursor(each.value())).isPresent();
  }

  private void count(String what) {
    repaired.incrementAndGet();
    LOG.warn("A cached record differed from the store and was corrected: {}.", what);
    changed.run();
  }

  private void in(Duration pause, Runnable step) {
    var unused = loop.after(pause, step);
  }
}
