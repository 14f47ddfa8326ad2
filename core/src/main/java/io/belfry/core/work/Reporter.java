package io.belfry.core.work;

import io.belfry.core.commit.Chain;
import io.belfry.core.commit.CommitLimits;
import io.belfry.core.commit.Lanes;
import io.belfry.core.commit.Settler;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.core.record.Reports;
import io.belfry.core.record.Segment;
import io.belfry.core.record.Slim;
import io.belfry.core.record.Stored;
import io.belfry.core.record.Weight;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the outcomes of attempts: many in one commit, gathered while the previous commit is in flight. Meanwhile another is sent only when
 * it is full, on a chain of its own, and never for a task that is in a commit in flight.
 *
 * <pre>
 *   reports ──▶ decide ──▶ lot of ends      : task deleted, history segment, message to the leader
 *                     └──▶ lot of non-ends  : task rewritten, message to the leader
 *   refused by a task: read it; the token is still ours: retry with what was read; otherwise the report is rejected,
 *   which is stored beside the task, and the leader is notified
 * </pre>
 *
 * <p>Threading: confined to its loop.
 */
final class Reporter {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
  /** The largest task in a segment, which has some overhead besides its tasks. */
  private static final int TASK_BYTES_MAX = Limits.VALUE_BYTES_MAX - 1024;

  private static final Duration PAUSE = Duration.ofMillis(100);

  interface Owner {
    /** The store has the report; the attempt's task is as stored now. */
    void accepted(Holding holding);

    /** Another attempt was made since, or the task is over: the report is ignored. */
    void rejected(Holding holding);

    /** Nothing is left to be written. */
    void idle();
  }

  private record Item(Holding holding, Task next, int reports) {}

  private final Loop loop;
  private final Store store;
  private final Lanes lanes;
  private final String worker;
  private final Owner owner;
  private final LinkedHashSet<Holding> waiting = new LinkedHashSet<>();
  private final LateReports late;
  private boolean lateInFlight;
  private final Set<TaskId> tasksInFlight = new HashSet<>();
  private boolean stopped;
  private long segments;

  Reporter(Loop loop, Store store, String worker, Owner owner) {
    this.loop = loop;
    this.store = store;
    this.worker = worker;
    this.owner = owner;
    this.late = new LateReports(worker);
    var settler = new Settler(loop, store, () -> !stopped, closed -> stop());
    byte[] nothing = Records.encode(new Reports("", List.of()));
    this.lanes =
        new Lanes(loop, settler, lane -> Keys.reports(worker, lane), nothing, this::sendAll);
  }

  void stop() {
    stopped = true;
  }

  /** Keys that are left behind once it is stopped and idle. */
  List<Key> leftOver() {
    return lanes.leftOver();
  }

  boolean isIdle() {
    return waiting.isEmpty() && lanes.isAtRest();
  }

  /** The attempt has something to report. */
  void report(Holding holding) {
    waiting.add(holding);
    lanes.wake();
  }

  private void sendAll() {
    boolean more = true;
    while (more && lanes.isOpen(waiting.size(), CommitLimits.REPORT.items())) {
      List<Item> lot = gather();
      more = !lot.isEmpty(); // all waiting tasks may be in commits in flight
      if (more) {
        send(lanes.take(), lot);
      }
    }
    if (!late.isEmpty()
        && !lateInFlight
        && lanes.isOpen(CommitLimits.REPORT.items(), CommitLimits.REPORT.items())) {
      sendLate();
    } else if (isIdle()) {
      owner.idle();
    }
  }

  private void send(Chain lane, List<Item> lot) {
    lot.forEach(item -> tasksInFlight.add(item.next.id()));
    boolean ends = lot.getFirst().next.isFinal();
    Key segment = Keys.freshHistory(worker, ends ? ++segments : segments);
    byte[] message = Records.encode(new Reports(
        ends ? segment.text() : "", lot.stream().map(item -> Slim.of(item.next)).toList()));
    lane.commit(commit(lot, segment, ends), message, link -> {
      lot.forEach(item -> tasksInFlight.remove(item.next.id()));
      switch (link) {
        case Chain.Link.Applied(long revision) -> lot.forEach(item -> accepted(item, revision));
        case Chain.Link.Refused(Guard guard, long found) -> refused(lot, guard);
        case Chain.Link.Forgotten unused -> lot.forEach(item -> reread(item.holding));
      }
      isFree(lane);
    });
  }

  private void isFree(Chain lane) {
    lanes.giveBack(lane);
    sendAll();
  }

  /** Sends late reports once, without retries: nothing is decided by them. */
  private void sendLate() {
    LateReports.Lot lot = late.take();
    Chain lane = lanes.take();
    lateInFlight = true;
    Runnable sent = () -> {
      lateInFlight = false;
      isFree(lane);
    };
    lane.commit(lot.kept(), lot.word(), link -> sent.run(), refusal -> {
      if (!(refusal instanceof StoreException.Unknown)) { // otherwise the settler still retries it
        LOG.warn(
            "The store refused late reports of worker {}; they are dropped, which affects no task. Reason: {}",
            worker,
            refusal.toString());
        sent.run();
      }
    });
  }

  /**
   * Either only ends or only non-ends, like the first, and one attempt per task: an older one that was taken from us may still have a
   * report. Reports that can no longer be applied are rejected here.
   */
  private List<Item> gather() {
    var lot = new ArrayList<Item>();
    var tasks = new HashSet<TaskId>();
    long bytes = 0;
    for (Iterator<Holding> all = waiting.iterator();
        all.hasNext() && lot.size() < CommitLimits.REPORT.items(); ) {
      Holding holding = all.next();
      if (tasksInFlight.contains(holding.task.id())) {
        continue;
      }
      Optional<Task> next = decide(holding).map(Reporter::bounded);
      if (next.isEmpty()) {
        all.remove();
        reject(holding);
        continue;
      }
      long weight = Weight.of(next.get());
      boolean fits = lot.isEmpty()
          || (bytes + weight <= CommitLimits.REPORT.bytes()
              && lot.getFirst().next.isFinal() == next.get().isFinal());
      if (fits && tasks.add(next.get().id())) {
        all.remove();
        bytes += weight;
        lot.add(new Item(holding, next.get(), holding.reports.size()));
      }
    }
    return lot;
  }

  /** The task after all its reports; empty if even the first is refused. */
  private Optional<Task> decide(Holding holding) {
    Task task = holding.task;
    Instant now = moment(holding);
    for (Command command : holding.reports) {
      switch (TaskLife.decide(task, command, now, loop.random())) {
        case Decision.Accepted(var events) -> task = TaskLife.apply(task, events);
        case Decision.Refused(var reason) -> {
          boolean alreadyReported = reason == Decision.Reason.ALREADY_RUNNING
              || (reason == Decision.Reason.CANCEL_REQUESTED && command instanceof Command.Cancel);
          if (!alreadyReported) {
            return Optional.empty();
          }
        }
      }
    }
    return Optional.of(task);
  }

  /** Drops the payload of a task accepted before there was a limit, if it does not fit with its result: its end matters more. */
  private static Task bounded(Task next) {
    return next.isFinal() && !Weight.isAtMost(TASK_BYTES_MAX, next) ? Slim.of(next) : next;
  }

  /** The time of a report, not before the assignment by any clock: history is searched by end time for what began in a window. */
  private Instant moment(Holding holding) {
    Instant now = holding.byLeader(loop.time().wall());
    return holding.task.state() instanceof TaskState.Held held && now.isBefore(held.since())
        ? held.since()
        : now;
  }

  private static Commit commit(List<Item> lot, Key segment, boolean ends) {
    Commit.Builder commit = Commit.when();
    for (Item item : lot) {
      Key key = Keys.task(item.next.id());
      commit.unchanged(key, item.holding.revision);
      if (ends) {
        commit.delete(key);
      } else {
        commit.put(key, Records.encode(item.next));
      }
    }
    if (ends) {
      List<Task> tasks = lot.stream().map(Item::next).toList();
      commit.put(segment, Records.encode(new Segment(false, tasks)));
    }
    return commit.build();
  }

  private void accepted(Item item, long revision) {
    Holding holding = item.holding;
    holding.task = item.next;
    holding.revision = revision;
    holding.reports.subList(0, item.reports).clear();
    if (!holding.reports.isEmpty()) {
      waiting.add(holding);
    }
    owner.accepted(holding);
  }

  private void refused(List<Item> lot, Guard guard) {
    for (Item item : lot) {
      if (Keys.task(item.next.id()).equals(guard.key())) {
        reread(item.holding);
      } else {
        waiting.add(item.holding);
      }
    }
  }

  /** The stored task differs from ours: reads it, and decides by its token. */
  private void reread(Holding holding) {
    loop.onResult(
        store.get(List.of(Keys.task(holding.task.id()))),
        found -> {
          if (stopped) {
            return;
          }
          Optional<Entry> entry = found.stream().findFirst();
          // An unreadable task is not known to be ours.
          Optional<Task> stored = entry.flatMap(each -> Legible.read(each, Stored::task));
          if (stored.isPresent() && isHeld(stored.get(), holding)) {
            holding.task = stored.get();
            holding.revision = entry.get().revision();
            report(holding);
          } else {
            reject(holding);
          }
        },
        failure -> {
          if (!stopped && !(failure instanceof StoreException.Closed)) {
            var unused = loop.after(PAUSE, () -> reread(holding));
          }
        });
  }

  private void reject(Holding holding) {
    late.add(holding, loop.time().wall());
    lanes.wake();
    owner.rejected(holding);
  }

  private static boolean isHeld(Task stored, Holding holding) {
    return stored.state() instanceof TaskState.Held held
        && held.attempt().token().equals(holding.token);
  }
}
