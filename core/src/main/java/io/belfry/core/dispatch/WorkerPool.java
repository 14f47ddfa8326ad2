package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The workers known to the leader. A worker's credit is its capacity minus the tasks that the leader has assigned and that have not
 * ended, which is never older than the worker's last report. Threading: confined to the leader loop.
 */
final class WorkerPool {
  private final Map<String, PoolWorker> members = new LinkedHashMap<>();

  /** Tasks held by workers that are not registered: not seen yet by a new leader, or gone and their tasks not yet reassigned. */
  private final Map<String, Integer> heldByAbsent = new HashMap<>();

  private final Deque<Integer> freeSeats = new ArrayDeque<>();
  private int seats;
  private int withCredit;
  private long taken;
  private long changes = 1;
  private long creditChanges = 1;

  Collection<PoolWorker> all() {
    return members.values();
  }

  Optional<PoolWorker> find(String id) {
    return Optional.ofNullable(members.get(id));
  }

  boolean hasCredit() {
    return withCredit > 0;
  }

  /** Grows when it changes which worker may take which task. */
  long changes() {
    return changes;
  }

  /** Grows when a member gets its first credit or loses its last. */
  long creditChanges() {
    return creditChanges;
  }

  PoolWorker joinOrUpdate(WorkerRecord record) {
    PoolWorker known = members.get(record.id());
    if (known == null) {
      return join(record);
    }
    if (!known.record.queues().equals(record.queues())
        || !known.record.labels().equals(record.labels())) {
      changes++;
    }
    boolean before = known.hasCredit();
    known.update(record);
    noteCredit(before, known.hasCredit());
    return known;
  }

  private PoolWorker join(WorkerRecord record) {
    int seat = freeSeats.isEmpty() ? seats++ : freeSeats.pop();
    Integer held = heldByAbsent.remove(record.id());
    PoolWorker member = new PoolWorker(record, seat, held == null ? 0 : held);
    members.put(record.id(), member);
    changes++;
    noteCredit(false, member.hasCredit());
    return member;
  }

  Optional<PoolWorker> leave(String id) {
    PoolWorker member = members.remove(id);
    if (member == null) {
      return Optional.empty();
    }
    if (member.held > 0) {
      heldByAbsent.put(id, member.held);
    }
    freeSeats.push(member.seat());
    changes++;
    noteCredit(member.hasCredit(), false);
    return Optional.of(member);
  }

  void taken(String id) {
    PoolWorker member = members.get(id);
    if (member == null) {
      heldByAbsent.merge(id, 1, Integer::sum);
      return;
    }
    boolean before = member.hasCredit();
    member.count(1);
    member.lastTaken = ++taken;
    noteCredit(before, member.hasCredit());
  }

  /** Resets the turns, as if no task had been assigned yet. */
  void forgetTurns() {
    taken = 0;
    members.values().forEach(member -> member.lastTaken = 0);
  }

  /** Frees one slot; returns the member if it had no credit before. */
  Optional<PoolWorker> freed(String id) {
    PoolWorker member = members.get(id);
    if (member == null) {
      heldByAbsent.computeIfPresent(id, (unused, n) -> n == 1 ? null : n - 1);
      return Optional.empty();
    }
    boolean before = member.hasCredit();
    member.count(-1);
    noteCredit(before, member.hasCredit());
    return !before && member.hasCredit() ? Optional.of(member) : Optional.empty();
  }

  private void noteCredit(boolean before, boolean after) {
    if (before != after) {
      creditChanges++;
      withCredit += after ? 1 : -1;
    }
  }
}
