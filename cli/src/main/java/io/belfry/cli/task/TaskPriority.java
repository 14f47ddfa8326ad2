package io.belfry.cli.task;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import io.belfry.client.TaskRef;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "priority",
    description = "Change the priority of a waiting task.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry task priority nightly-invoices@2026-11-16T02:30:00Z urgent")
final class TaskPriority extends Verb {
  /** Priorities of the API. */
  enum Priority {
    LOW,
    NORMAL,
    HIGH,
    URGENT
  }

  @Parameters(index = "0", paramLabel = "ID", description = "Id of the task.")
  private String id = "";

  @Parameters(
      index = "1",
      paramLabel = "PRIORITY",
      description = "New priority: low, normal, high or urgent.")
  private Priority priority = Priority.NORMAL;

  TaskPriority(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    TaskRef task = client.tasks().prioritise(id, ApiName.of(priority));
    if (printer.isDocument()) {
      printer.document(task.document());
    } else {
      printer.say("Priority " + ApiName.of(priority) + " is requested for task " + id + ".");
    }
    return 0;
  }
}
