package io.belfry.cli.task;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import io.belfry.client.TaskRef;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "retry",
    description = "Does again what has failed or was cancelled, as a new task.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry task retry nightly-invoices@2026-11-16T02:30:00Z")
final class TaskRetry extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the task.")
  private String id = "";

  TaskRetry(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    TaskRef task = client.tasks().retry(id);
    if (report.isDocument()) {
      report.document(task.document());
    } else {
      report.say("Task " + task.id() + " does it again.");
    }
    return 0;
  }
}
