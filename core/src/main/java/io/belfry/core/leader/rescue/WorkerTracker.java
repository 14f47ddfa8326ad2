package io.belfry.core.leader.rescue;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.core.follow.Follower;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.WorkerRecord;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tracks which workers are there: keeps the dispatcher informed, sends a worker again what its heartbeats do not name, and takes tasks from
 * workers whose lease has ended.
 *
 * <p>After an outage of the engine many leases end at once, although their workers may be alive. So a new leader takes no task for as long
 * as a lease lasts, and every rescue is guarded by the absence of the worker's record. Only a worker that had announced that it leaves is
 * known not to have begun what it did not name then: that is taken at once.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class WorkerTracker implements Follower.Sink {
  /** Heartbeats that may miss a token before it is sent again: one may have been under way, one may have been early. */
  private static final int MISSED_HEARTBEATS_MAX = 3;

  private final Loop loop;
  private final TaskTable table;
  private final Redelivery redelivery;
  private final TaskRescuer rescuer;
  private final Observer observer;
  private final Consumer<LiveTask> remindOfCancel;
  private final Runnable changed;
  private final long rescueFrom;
  private final Map<String, WorkerRecord> present = new LinkedHashMap<>();
  private final Map<String, Long> revisions = new LinkedHashMap<>();
  private final Set<String> seen = new HashSet<>();
  /** Gone after they had said that they leave, with the marks of what they held at last; kept until the first lease of this term has passed. */
  private final Map<String, Set<Long>> drained = new HashMap<>();

  private boolean loaded;
  private boolean waits;

  public WorkerTracker(
      TermContext term, TaskTable table, TaskRescuer rescuer, Consumer<LiveTask> remindOfCancel) {
    this.loop = term.loop();
    this.table = table;
    this.redelivery = new Redelivery(term.committer(), table, MISSED_HEARTBEATS_MAX);
    this.rescuer = rescuer;
    this.observer = term.observer();
    this.remindOfCancel = remindOfCancel;
    this.changed = term.wakeUp();
    this.rescueFrom = loop.time().nanos() + term.settings().workerLease().toNanos();
  }

  @Override
  public void loading() {
    loaded = false;
    seen.clear();
  }

  @Override
  public void put(Entry entry) {
    seen.add(entry.key().text());
    SafeDecoder.read(entry, each -> Records.worker(each.value()))
        .ifPresent(worker -> put(entry, worker));
  }

  private void put(Entry entry, WorkerRecord worker) {
    Long known = revisions.get(worker.id());
    if (known != null && known >= entry.revision()) {
      return;
    }
    revisions.put(worker.id(), entry.revision());
    WorkerRecord before = present.put(worker.id(), worker);
    if (before == null) {
      observer.observed(new Happening.WorkerJoined(worker.id()));
    }
    announceHealth(worker.id(), before != null && before.healthy(), worker.healthy());
    table.dispatcher.seen(worker);
    checkHeld(worker);
    changed.run();
  }

  @Override
  public void deleted(Key key, long revision) {
    String worker = key.text();
    Long known = revisions.get(worker);
    if (known != null && known < revision) {
      left(worker);
    }
  }

  @Override
  public void loaded() {
    loaded = true;
    List.copyOf(present.keySet()).stream().filter(id -> !seen.contains(id)).forEach(this::left);
    rescueAll();
  }

  private void left(String worker) {
    revisions.remove(worker);
    WorkerRecord before = present.remove(worker);
    if (before != null && before.leaving() && mustWait()) {
      drained.put(worker, Set.copyOf(before.held()));
    }
    table.dispatcher.left(worker);
    announceHealth(worker, before != null && before.healthy(), false);
    observer.observed(new Happening.WorkerLeft(worker));
    rescueTasksOf(worker);
  }

  private void announceHealth(String worker, boolean before, boolean now) {
    if (before != now) {
      observer.observed(
          now ? new Happening.WorkerOnline(worker) : new Happening.WorkerOffline(worker));
    }
  }

  boolean isPresent(String worker) {
    return present.containsKey(worker);
  }

  private void checkHeld(WorkerRecord worker) {
    Set<Long> named = new HashSet<>(worker.held());
    var missing = new ArrayList<LiveTask>();
    for (LiveTask live : table.tasks.heldBy(worker.id())) {
      if (!live.isFree()
          || named.contains(WorkerRecord.mark(live.id(), live.task().token()))) {
        table.missedHeartbeats(live, 0);
        if (live.cancel().isPresent()) {
          remindOfCancel.accept(live);
        }
      } else {
        table.missedHeartbeats(live, live.missedHeartbeats() + 1);
        if (live.missedHeartbeats() >= MISSED_HEARTBEATS_MAX) {
          missing.add(live);
        }
      }
    }
    redelivery.redeliver(worker.id(), missing);
  }

  /** Takes what is held by workers that are not there. */
  void rescueAll() {
    if (!loaded) {
      return;
    }
    if (mustWait()) {
      rescueWhenPatienceIsOver();
    } else {
      drained.clear();
    }
    for (String worker : List.copyOf(table.tasks.holders())) {
      if (!isPresent(worker)) {
        table.tasks.heldBy(worker).forEach(this::rescueIfOrphaned);
      }
    }
  }

  /** Takes what is held by this one, which has left. */
  private void rescueTasksOf(String worker) {
    if (mustWait()) {
      rescueWhenPatienceIsOver();
    }
    table.tasks.heldBy(worker).forEach(this::rescueIfOrphaned);
  }

  private void rescueWhenPatienceIsOver() {
    if (!waits) {
      waits = true;
      var unused = loop.after(Duration.ofNanos(rescueFrom - loop.time().nanos()), this::rescueAll);
    }
  }

  private boolean mustWait() {
    return rescueFrom - loop.time().nanos() > 0;
  }

  public void rescueIfOrphaned(LiveTask live) {
    if (isOrphaned(live)) {
      rescuer.add(live);
    }
  }

  public boolean isOrphaned(LiveTask live) {
    Optional<String> gone = live.holder().filter(worker -> !isPresent(worker));
    return loaded && gone.isPresent() && (!mustWait() || neverBegan(live, gone.get()));
  }

  private boolean neverBegan(LiveTask live, String worker) {
    Set<Long> named = drained.get(worker);
    return named != null
        && !named.contains(WorkerRecord.mark(live.id(), live.task().token()));
  }
}
