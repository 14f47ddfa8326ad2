package io.belfry.cli.task;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Polls a task with backoff until it has ended. Threading: confined to its verb. */
final class TaskWait {
  private static final Duration PAUSE_FIRST = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

  private final BelfryClient client;
  private final Printer printer;
  private final VerbContext context;

  TaskWait(BelfryClient client, Printer printer, VerbContext context) {
    this.client = client;
    this.printer = printer;
    this.context = context;
  }

  /** Waits, prints the task, and returns the exit code: 0 if it succeeded, otherwise 1. */
  int untilEnded(String id, Optional<Duration> limit) throws InterruptedException {
    long started = context.time().nanos();
    Duration wait = PAUSE_FIRST;
    JsonNode task = client.tasks().get(id);
    while (!TaskText.isEnded(task)) {
      Duration waited = Duration.ofNanos(context.time().nanos() - started);
      if (limit.isPresent() && waited.compareTo(limit.get()) >= 0) {
        printer.note("Task " + id + " is still " + task.path("state").asString("") + " after "
            + limit.get().toSeconds() + " s. It continues; only the wait has ended.");
        return 1;
      }
      context.sleeper().sleep(wait);
      wait = wait.multipliedBy(3).dividedBy(2);
      wait = wait.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : wait;
      task = client.tasks().get(id);
    }
    if (printer.isDocument()) {
      printer.document(task);
    } else {
      TaskText.show(printer, task);
    }
    return TaskText.isSucceeded(task) ? 0 : 1;
  }
}
