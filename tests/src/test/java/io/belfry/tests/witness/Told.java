package io.belfry.tests.witness;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What Belfry says of itself when everything is over.
 *
 * @param ends finished tasks by id; every end that history knows of a task, though there must be one
 * @param unfinished tasks that are still there
 * @param skips by job, ranges that were not fired
 * @param leaders by term, everybody who said that he led
 */
record Told(
    Map<String, List<End>> ends,
    List<String> unfinished,
    Map<String, List<Range>> skips,
    Map<Long, List<String>> leaders) {

  /**
   * One accepted end.
   *
   * @param state as the API calls it
   * @param token of the attempt that it was accepted from
   */
  record End(String state, long token) {
    static final String SUCCEEDED = "succeeded";
    static final String FAILED = "failed";
    static final String CANCELLED = "cancelled";

    boolean succeeded() {
      return state.equals(SUCCEEDED);
    }
  }

  /** Instants that were not fired, both ends included. */
  record Range(Instant from, Instant to, String reason) {
    static final String DISABLED = "disabled";

    boolean covers(Instant at) {
      return !at.isBefore(from) && !at.isAfter(to);
    }
  }
}
