package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;
import java.util.Map;

/** Which workers may take a task: those that serve the queue and have all the labels. */
record WorkerNeeds(String queue, Map<String, String> labels) {
  boolean isMetBy(WorkerRecord worker) {
    return (worker.queues().isEmpty() || worker.queues().contains(queue))
        && (labels.isEmpty() || worker.labels().entrySet().containsAll(labels.entrySet()));
  }
}
