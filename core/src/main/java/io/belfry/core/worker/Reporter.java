package io.belfry.core.worker;

import io.belfry.core.commit.CommitChain;
import io.belfry.core.commit.CommitLimits;
import io.belfry.core.commit.CommitPipeline;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Records;
import io.belfry.core.record.Reports;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.core.record.Weight;
import io.belfry.core.record.WithoutPayload;
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
 *   reports ──▶ decide ──▶ batch of ends      : task deleted, history batch, message to the leader
 *                     └──▶ batch of non-ends  : task rewritten, message to the leader
 *   refused by a task: read it; the token is still ours: retry with what was read; otherwise the report is rejected,
 *   which is stored beside the task, and the leader is notified
 * </pre>
 *
 * <p>Threading: confined to its loop.
 */
final class Reporter {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
  /** The largest task in a history batch, which has some overhead besides its tasks. */
  private static final int TASK_BYTES_MAX = Limits.VALUE_BYTES_MAX - 1024;

  private static final Duration PAUSE = Duration.ofMillis(100);

  interface Owner {
    /** The store has the report; the attempt's task is as stored now. */
    void accepted(HeldAttempt holding);

    /** Another attempt was made since, or the task is over: the report is ignored. */
    void rejected(HeldAttempt holding);

    /** Nothing is left to be written. */
    void idle();
  }

  private record Item(HeldAttempt holding, Task next, int reports) {}

  private final Loop loop;
  private final Store store;
  private final CommitPipeline lanes;
  private final String worker;
  private final Owner owner;
  private final LinkedHashSet<HeldAttempt> waiting = new LinkedHashSet<>();
  private final LateReports late;
  private boolean lateInFlight;
  private final Set<TaskId> tasksInFlight = new HashSet<>();
  private boolean stopped;
  private long endedBatches;

  Reporter(Loop loop, Store store, String worker, Owner owner) {
    this.loop = loop;
    this.store = store;
    this.worker = worker;
    this.owner = owner;
    this.late = new LateReports(worker);
    var settler = new RetryingCommitter(loop, store, () -> !stopped, closed -> stop());
    byte[] nothing = Records.encode(new Reports("", List.of()));
    this.lanes = new CommitPipeline(
        loop, settler, lane -> Keys.reports(worker, lane), nothing, this::sendAll);
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
  void report(HeldAttempt holding) {
    waiting.add(holding);
    lanes.wake();
  }

  private void sendAll() {
    boolean more = true;
    while (more && lanes.isOpen(waiting.size(), CommitLimits.REPORT.items())) {
      List<Item> batch = gather();
      more = !batch.isEmpty(); // all waiting tasks may be in commits in flight
      if (more) {
        send(lanes.take(), batch);
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

  private void send(CommitChain lane, List<Item> batch) {
    batch.forEach(item -> tasksInFlight.add(item.next.id()));
    boolean ends = batch.getFirst().next.isFinal();
    Key endedBatch = Keys.freshHistory(worker, ends ? ++endedBatches : endedBatches);
    byte[] message = Records.encode(new Reports(
        ends ? endedBatch.text() : "",
        batch.stream().map(item -> WithoutPayload.of(item.next)).toList()));
    lane.commit(commit(batch, endedBatch, ends), message, link -> {
      batch.forEach(item -> tasksInFlight.remove(item.next.id()));
      switch (link) {
        case CommitChain.Link.Applied(long revision) ->
          batch.forEach(item -> accepted(item, revision));
        case CommitChain.Link.Refused(Guard guard, long found) -> refused(batch, guard);
        case CommitChain.Link.Forgotten unused -> batch.forEach(item -> reread(item.holding));
      }
      isFree(lane);
    });
  }

  private void isFree(CommitChain lane) {
    lanes.giveBack(lane);
    sendAll();
  }

  /** Sends late reports once, without retries: nothing is decided by them. */
  private void sendLate() {
    LateReports.Batch batch = late.take();
    CommitChain lane = lanes.take();
    lateInFlight = true;
    Runnable sent = () -> {
      lateInFlight = false;
      isFree(lane);
    };
    lane.commit(batch.kept(), batch.word(), link -> sent.run(), refusal -> {
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
    var batch = new ArrayList<Item>();
    var tasks = new HashSet<TaskId>();
    long bytes = 0;
    for (Iterator<HeldAttempt> all = waiting.iterator();
        all.hasNext() && batch.size() < CommitLimits.REPORT.items(); ) {
      HeldAttempt holding = all.next();
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
      boolean fits = batch.isEmpty()
          || (bytes + weight <= CommitLimits.REPORT.bytes()
              && batch.getFirst().next.isFinal() == next.get().isFinal());
      if (fits && tasks.add(next.get().id())) {
        all.remove();
        bytes += weight;
        batch.add(new Item(holding, next.get(), holding.reports.size()));
      }
    }
    return batch;
  }

  /** The task after all its reports; empty if even the first is refused. */
  private Optional<Task> decide(HeldAttempt holding) {
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
    return next.isFinal() && !Weight.isAtMost(TASK_BYTES_MAX, next)
        ? WithoutPayload.of(next)
        : next;
  }

  /** The time of a report, not before the assignment by any clock: history is searched by end time for what began in a window. */
  private Instant moment(HeldAttempt holding) {
    Instant now = holding.byLeader(loop.time().wall());
    return holding.task.state() instanceof TaskState.Held held && now.isBefore(held.since())
        ? held.since()
        : now;
  }

  private static Commit commit(List<Item> batch, Key endedBatch, boolean ends) {
    Commit.Builder commit = Commit.when();
    for (Item item : batch) {
      Key key = Keys.task(item.next.id());
      commit.unchanged(key, item.holding.revision);
      if (ends) {
        commit.delete(key);
      } else {
        commit.put(key, Records.encode(item.next));
      }
    }
    if (ends) {
      List<Task> tasks = batch.stream().map(Item::next).toList();
      commit.put(endedBatch, Records.encode(new EndedBatch(false, tasks)));
    }
    return commit.build();
  }

  private void accepted(Item item, long revision) {
    HeldAttempt holding = item.holding;
    holding.task = item.next;
    holding.revision = revision;
    holding.reports.subList(0, item.reports).clear();
    if (!holding.reports.isEmpty()) {
      waiting.add(holding);
    }
    owner.accepted(holding);
  }

  private void refused(List<Item> batch, Guard guard) {
    for (Item item : batch) {
      if (Keys.task(item.next.id()).equals(guard.key())) {
        reread(item.holding);
      } else {
        waiting.add(item.holding);
      }
    }
  }

  /** The stored task differs from ours: reads it, and decides by its token. */
  private void reread(HeldAttempt holding) {
    loop.onResult(
        store.get(List.of(Keys.task(holding.task.id()))),
        found -> {
          if (stopped) {
            return;
          }
          Optional<Entry> entry = found.stream().findFirst();
          // An unreadable task is not known to be ours.
          Optional<Task> stored = entry.flatMap(each -> SafeDecoder.read(each, Stored::task));
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

  private void reject(HeldAttempt holding) {
    late.add(holding, loop.time().wall());
    lanes.wake();
    owner.rejected(holding);
  }

  private static boolean isHeld(Task stored, HeldAttempt holding) {
    return stored.state() instanceof TaskState.Held held
        && held.attempt().token().equals(holding.token);
  }
}
