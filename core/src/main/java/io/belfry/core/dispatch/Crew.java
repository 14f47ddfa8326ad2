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
 * The workers as the leader sees them. Credit is capacity less what the leader itself has given and not seen end, which is never
 * older than what the worker last reported. Threading: confined to the leader loop.
 */
final class Crew {
  private final Map<String, Member> members = new LinkedHashMap<>();

  /** What is held by workers that are not here: not seen yet by a new leader, or gone and not yet rescued from. */
  private final Map<String, Integer> heldByAbsent = new HashMap<>();

  private final Deque<Integer> freeSeats = new ArrayDeque<>();
  private int seats;
  private int withCredit;
  private long taken;
  private long changes = 1;
  private long creditChanges = 1;

  Collection<Member> all() {
    return members.values();
  }

  Optional<Member> find(String id) {
    return Optional.ofNullable(members.get(id));
  }

  boolean hasCredit() {
    return withCredit > 0;
  }

  /** Grows when who may take what changes. */
  long changes() {
    return changes;
  }

  /** Grows when a member gets its first credit or loses its last. */
  long creditChanges() {
    return creditChanges;
  }

  Member joinOrUpdate(WorkerRecord record) {
    Member known = members.get(record.id());
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

  private Member join(WorkerRecord record) {
    int seat = freeSeats.isEmpty() ? seats++ : freeSeats.pop();
    Integer held = heldByAbsent.remove(record.id());
    Member member = new Member(record, seat, held == null ? 0 : held);
    members.put(record.id(), member);
    changes++;
    noteCredit(false, member.hasCredit());
    return member;
  }

  Optional<Member> leave(String id) {
    Member member = members.remove(id);
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
    Member member = members.get(id);
    if (member == null) {
      heldByAbsent.merge(id, 1, Integer::sum);
      return;
    }
    boolean before = member.hasCredit();
    member.count(1);
    member.lastTaken = ++taken;
    noteCredit(before, member.hasCredit());
  }

  /** As if nobody had been given anything yet. */
  void forgetTurns() {
    taken = 0;
    members.values().forEach(member -> member.lastTaken = 0);
  }

  /** Gives one place back; the member, if that is its first credit. */
  Optional<Member> freed(String id) {
    Member member = members.get(id);
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
