package io.belfry.core.worker;

import io.belfry.model.task.CancelRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The attempts that a worker holds, and its memory of attempts that are over or have not arrived yet: orders may arrive twice, or out of
 * order.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class HeldAttempts {
  private static final int REMEMBERED_MAX = 10_000;

  private final Map<AttemptId, HeldAttempt> now = new LinkedHashMap<>();
  /** Attempts that are over: recognizes an order that arrives twice. */
  private final Map<AttemptId, Boolean> over = new RecentEntries<>(REMEMBERED_MAX);
  /** Attempts to be stopped that have not arrived yet: the order to stop one may overtake it. */
  private final Map<AttemptId, CancelRequest> stoppedAhead = new RecentEntries<>(REMEMBERED_MAX);

  int size() {
    return now.size();
  }

  boolean isKnown(AttemptId attempt) {
    return now.containsKey(attempt) || over.containsKey(attempt);
  }

  /** A copy of the held attempts, safe while they change. */
  List<HeldAttempt> all() {
    return List.copyOf(now.values());
  }

  Optional<HeldAttempt> find(AttemptId attempt) {
    return Optional.ofNullable(now.get(attempt));
  }

  /**
   * Adds an attempt.
   *
   * @return the request to cancel it, if that arrived first
   */
  Optional<CancelRequest> add(AttemptId attempt, HeldAttempt holding) {
    now.put(attempt, holding);
    return Optional.ofNullable(stoppedAhead.remove(attempt));
  }

  void stopAhead(AttemptId attempt, CancelRequest request) {
    stoppedAhead.put(attempt, request);
  }

  void free(HeldAttempt holding) {
    var attempt = new AttemptId(holding.task.id(), holding.token);
    now.remove(attempt);
    over.put(attempt, true);
  }

  /** The attempts that heartbeats name. */
  List<Long> marks() {
    return now.entrySet().stream()
        .filter(each -> !each.getValue().over)
        .map(each -> each.getKey().mark())
        .toList();
  }

  /** Whether all attempts have ended, not counting code that ignores its interruption: its outcome is known. */
  boolean haveEnded() {
    return now.values().stream().allMatch(holding -> holding.over && holding.deaf);
  }
}
