package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Waiting tasks that no worker may take, however long they wait: none serves their queue and has all their labels.
 *
 * @param tasks how many wait, due or not
 */
public record UnmatchedCount(String queue, Map<String, String> labels, int tasks) {

  /** A sentence for users. */
  public String sentence() {
    return "no worker serves queue " + queue
        + (labels.isEmpty() ? "" : " and offers labels " + new TreeMap<>(labels));
  }

  /** The same for one task: whether some worker may take it, busy or not. */
  public static boolean isServed(
      String queue, Map<String, String> labels, Collection<WorkerRecord> workers) {
    var need = new WorkerNeeds(queue, labels);
    return workers.stream().anyMatch(need::isMetBy);
  }
}
