package io.belfry.core.work;

import io.belfry.model.task.CancelRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The attempts that a worker holds, and what it remembers of those that are over or have not come yet: orders may come twice, or in
 * another order than they were given.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class Held {
  private static final int REMEMBERED_MAX = 10_000;

  private final Map<AttemptId, Holding> now = new LinkedHashMap<>();
  /** Attempts that are over: an order that comes twice is recognised. */
  private final Map<AttemptId, Boolean> over = new Recent<>(REMEMBERED_MAX);
  /** Attempts that are to be stopped, and have not come yet: the word to stop one may overtake it. */
  private final Map<AttemptId, CancelRequest> stoppedAhead = new Recent<>(REMEMBERED_MAX);

  int size() {
    return now.size();
  }

  boolean isKnown(AttemptId attempt) {
    return now.containsKey(attempt) || over.containsKey(attempt);
  }

  /** Those that are held, whatever becomes of them meanwhile. */
  List<Holding> all() {
    return List.copyOf(now.values());
  }

  Optional<Holding> find(AttemptId attempt) {
    return Optional.ofNullable(now.get(attempt));
  }

  /**
   * Holds it from here on.
   *
   * @return who wanted it stopped before it came
   */
  Optional<CancelRequest> add(AttemptId attempt, Holding holding) {
    now.put(attempt, holding);
    return Optional.ofNullable(stoppedAhead.remove(attempt));
  }

  void stopAhead(AttemptId attempt, CancelRequest request) {
    stoppedAhead.put(attempt, request);
  }

  void free(Holding holding) {
    var attempt = new AttemptId(holding.task.id(), holding.token);
    now.remove(attempt);
    over.put(attempt, true);
  }

  /** What heartbeats name. */
  List<Long> marks() {
    return now.entrySet().stream()
        .filter(each -> !each.getValue().over)
        .map(each -> each.getKey().mark())
        .toList();
  }

  /** Nobody waits for code that ignores its interruption: what became of it is known. */
  boolean haveEnded() {
    return now.values().stream().allMatch(holding -> holding.over && holding.deaf);
  }
}
