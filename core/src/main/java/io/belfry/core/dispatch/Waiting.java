package io.belfry.core.dispatch;

import io.belfry.model.job.Priority;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The tasks that wait for a worker, in the order given by {@link Dispatcher}.
 *
 * <pre>
 *   later (by due) ──▶ entries of a lane ──▶ lanes of a row ──▶ ready rows     three heaps, each by its best task
 *                              │                   │
 *                       timers, byLimit        rowsAside                       set aside: limit reached, no worker
 * </pre>
 *
 * Threading: confined to the leader loop.
 */
final class Waiting<T> {
  /** Up to this many empty rows are kept, because most queues are empty most of the time and get tasks again. */
  private static final int ROWS_KEPT = 1_024;

  private final long stepMillis;
  private final Map<TaskId, Entry<T>> entries = new HashMap<>();
  private final Heap<Entry<T>> later = new Heap<>(Entry::isDueFirst);
  private final Map<WorkerNeeds, Row<T>> rows = new HashMap<>();
  private final Heap<Row<T>> ready = new Heap<>(Row::goesFirst);
  /** By queue: most workers serve few of them. */
  private final Map<String, Set<Row<T>>> rowsAside = new LinkedHashMap<>();

  private final Map<String, List<Lane<T>>> byLimit = new HashMap<>();
  private final Heap<Lane<T>> timers = new Heap<>(Lane::wakesFirst);
  private final Set<String> paused = new HashSet<>();
  /** Queues in pull mode, with their ready rows. */
  private final Map<String, Heap<Row<T>>> pulled = new HashMap<>();

  private Instant now = Instant.MIN;

  Waiting(Duration step) {
    this.stepMillis = step.toMillis();
  }

  int size() {
    return entries.size();
  }

  int rows() {
    return rows.size();
  }

  boolean contains(TaskId id) {
    return entries.containsKey(id);
  }

  void add(WaitingTask<T> task) {
    remove(task.id());
    Row<T> row = rows.computeIfAbsent(new WorkerNeeds(task.queue(), task.labels()), this::newRow);
    var entry = new Entry<>(task, row.laneOf(task), stepMillis);
    row.size++;
    entry.lane.size++;
    entries.put(task.id(), entry);
    if (task.due().isAfter(now)) {
      later.add(entry);
    } else {
      enter(entry);
    }
  }

  private Row<T> newRow(WorkerNeeds need) {
    var row = new Row<T>(need, pulled.getOrDefault(need.queue(), ready));
    row.paused = paused.contains(need.queue());
    return row;
  }

  Optional<WaitingTask<T>> remove(TaskId id) {
    Entry<T> entry = entries.remove(id);
    if (entry == null) {
      return Optional.empty();
    }
    if (entry.due) {
      exit(entry);
    } else {
      later.remove(entry);
    }
    Row<T> row = entry.lane.row;
    row.size--;
    entry.lane.size--;
    tidy(entry.lane);
    if (row.size == 0 && rows.size() > ROWS_KEPT) {
      rows.remove(row.need);
      rowsAside.computeIfPresent(row.need.queue(), (queue, aside) -> {
        aside.remove(row);
        return aside.isEmpty() ? null : aside;
      });
    }
    return Optional.of(entry.task);
  }

  boolean prioritise(TaskId id, Priority priority, long revision) {
    Entry<T> entry = entries.get(id);
    if (entry == null) {
      return false;
    }
    if (entry.due) {
      exit(entry);
    }
    entry.become(entry.task.with(priority, revision), stepMillis);
    if (entry.due) {
      enter(entry);
    }
    return true;
  }

  void pause(String queue) {
    paused.add(queue);
    setPaused(queue, true);
  }

  void resume(String queue) {
    paused.remove(queue);
    setPaused(queue, false);
  }

  private void setPaused(String queue, boolean to) {
    for (Row<T> row : rows.values()) {
      if (row.need.queue().equals(queue)) {
        row.paused = to;
        place(row);
      }
    }
  }

  boolean isPulled(String queue) {
    return pulled.containsKey(queue);
  }

  /** Switches the queue to pull mode, or back to push mode. */
  void pull(String queue, boolean to) {
    if (to == isPulled(queue)) {
      return;
    }
    if (to) {
      pulled.put(queue, new Heap<>(Row::goesFirst));
    } else {
      pulled.remove(queue);
    }
    for (Row<T> row : rows.values()) {
      if (row.need.queue().equals(queue)) {
        if (row.isPlaced()) {
          row.place.remove(row);
        }
        row.place = pulled.getOrDefault(queue, ready);
        place(row);
      }
    }
  }

  /** The row of a queue in pull mode that holds the first task that may be admitted. */
  Optional<Row<T>> firstRow(String queue) {
    Heap<Row<T>> ours = pulled.get(queue);
    return ours == null || ours.isEmpty() ? Optional.empty() : Optional.of(ours.first());
  }

  /** One more task of the row was admitted, or one was claimed or withdrawn. */
  void admitted(Row<T> row, int change, int most) {
    row.admitted(change, most);
    place(row);
  }

  /** The waiting task's place in the order of all tasks: the smaller goes first. */
  long rank(TaskId id) {
    Entry<T> entry = entries.get(id);
    return entry == null ? Long.MAX_VALUE : entry.rank();
  }

  Optional<Row<T>> rowOf(TaskId id) {
    return Optional.ofNullable(entries.get(id)).map(entry -> entry.lane.row);
  }

  Optional<WaitingTask<T>> find(TaskId id) {
    return Optional.ofNullable(entries.get(id)).map(entry -> entry.task);
  }

  List<UnmatchedCount> unserved(WorkerPool crew, int most) {
    var unserved = new ArrayList<UnmatchedCount>();
    for (Row<T> row : rows.values()) {
      if (!row.lanes.isEmpty()
          && crew.all().stream().noneMatch(member -> row.need.isMetBy(member.record))) {
        unserved.add(new UnmatchedCount(row.need.queue(), row.need.labels(), row.size));
        if (unserved.size() == most) {
          break;
        }
      }
    }
    return unserved;
  }

  Optional<Instant> nextDue() {
    return later.isEmpty() ? Optional.empty() : Optional.of(later.first().task.due());
  }

  OptionalLong nextTimer() {
    return timers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(timers.first().wakeNanos);
  }

  /** Enters the tasks that have become due, and retries the limits whose time has come. */
  void advance(Instant to, long nanos) {
    now = to;
    while (!later.isEmpty() && !later.first().task.due().isAfter(to)) {
      Entry<T> entry = later.first();
      later.remove(entry);
      enter(entry);
    }
    while (!timers.isEmpty() && timers.first().wakeNanos - nanos <= 0) {
      wake(timers.first().key.text());
    }
  }

  /** The row that holds the first task that may be takeable. */
  Optional<Row<T>> firstRow() {
    return ready.isEmpty() ? Optional.empty() : Optional.of(ready.first());
  }

  void setAside(Row<T> row) {
    row.aside = true;
    rowsAside.computeIfAbsent(row.need.queue(), queue -> new LinkedHashSet<>()).add(row);
    place(row);
  }

  void setAside(Lane<T> lane, Permission refusal) {
    lane.aside = true;
    lane.row.lanes.remove(lane);
    place(lane.row);
    byLimit.computeIfAbsent(lane.key.text(), unused -> new ArrayList<>(1)).add(lane);
    if (refusal instanceof Permission.At at) {
      lane.wakeNanos = at.nanos();
      timers.add(lane);
    }
  }

  /** A worker has credit: retries the rows that it may serve. Returns how many it has checked. */
  int wake(PoolWorker member) {
    Set<String> served = member.record.queues();
    int checked = 0;
    for (String queue : List.copyOf(served.isEmpty() ? rowsAside.keySet() : served)) {
      Set<Row<T>> aside = rowsAside.get(queue);
      if (aside != null) {
        checked += aside.size();
        aside.removeIf(row -> wakes(row, member));
        if (aside.isEmpty()) {
          rowsAside.remove(queue);
        }
      }
    }
    return checked;
  }

  private boolean wakes(Row<T> row, PoolWorker member) {
    if (!row.need.isMetBy(member.record)) {
      return false;
    }
    row.aside = false;
    place(row);
    return true;
  }

  /** A slot under this limit was freed, or its time has come. */
  void wake(String limitKey) {
    List<Lane<T>> woken = byLimit.remove(limitKey);
    if (woken == null) {
      return;
    }
    for (Lane<T> lane : woken) {
      lane.aside = false;
      if (lane.isPlaced()) {
        timers.remove(lane);
      }
      if (!lane.entries.isEmpty()) {
        lane.row.lanes.add(lane);
        place(lane.row);
      }
      tidy(lane);
    }
  }

  /** Retries every rate. */
  void wakeTimed() {
    while (!timers.isEmpty()) {
      wake(timers.first().key.text());
    }
  }

  private void enter(Entry<T> entry) {
    Lane<T> lane = entry.lane;
    entry.due = true;
    lane.entries.add(entry);
    if (lane.aside) {
      return;
    }
    if (lane.isPlaced()) {
      lane.row.lanes.moved(lane);
    } else {
      lane.row.lanes.add(lane);
    }
    place(lane.row);
  }

  private void exit(Entry<T> entry) {
    Lane<T> lane = entry.lane;
    lane.entries.remove(entry);
    if (lane.aside) {
      return;
    }
    if (lane.entries.isEmpty()) {
      lane.row.lanes.remove(lane);
    } else {
      lane.row.lanes.moved(lane);
    }
    place(lane.row);
  }

  private void tidy(Lane<T> lane) {
    if (lane.size == 0 && !lane.aside) {
      lane.row.forget(lane);
    }
  }

  /** Puts the row into its place among the ready rows, or removes it if it is not ready. */
  private void place(Row<T> row) {
    if (!row.isReady()) {
      if (row.isPlaced()) {
        row.place.remove(row);
      }
    } else if (row.isPlaced()) {
      row.place.moved(row);
    } else {
      row.place.add(row);
    }
  }
}
