package io.belfry.cli.task;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import io.belfry.client.TaskRef;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "retry",
    description = "Retry a failed or cancelled task as a new task.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry task retry nightly-invoices@2026-11-16T02:30:00Z")
final class TaskRetry extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the task.")
  private String id = "";

  TaskRetry(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    TaskRef task = client.tasks().retry(id);
    if (printer.isDocument()) {
      printer.document(task.document());
    } else {
      printer.say("Task " + task.id() + " is created as a retry of task " + id + ".");
    }
    return 0;
  }
}
