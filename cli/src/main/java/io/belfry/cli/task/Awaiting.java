package io.belfry.cli.task;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.client.BelfryClient;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Asks until a task has ended, ever more slowly. Threading: confined to its verb. */
final class Awaiting {
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration MOST = Duration.ofSeconds(2);

  private final BelfryClient client;
  private final Report report;
  private final Surroundings around;

  Awaiting(BelfryClient client, Report report, Surroundings around) {
    this.client = client;
    this.report = report;
    this.around = around;
  }

  /** The exit code: whether it succeeded. */
  int end(String id, Optional<Duration> limit) throws InterruptedException {
    long begun = around.time().nanos();
    Duration wait = FIRST;
    JsonNode task = client.tasks().get(id);
    while (!TaskText.isOver(task)) {
      Duration waited = Duration.ofNanos(around.time().nanos() - begun);
      if (limit.isPresent() && waited.compareTo(limit.get()) >= 0) {
        report.note("Task " + id + " is " + task.path("state").asString("") + " after "
            + limit.get().toSeconds() + " s, and goes on.");
        return 1;
      }
      around.waiting().await(wait);
      wait = wait.multipliedBy(3).dividedBy(2);
      wait = wait.compareTo(MOST) > 0 ? MOST : wait;
      task = client.tasks().get(id);
    }
    if (report.isDocument()) {
      report.document(task);
    } else {
      TaskText.show(report, task);
    }
    return TaskText.isGood(task) ? 0 : 1;
  }
}
