package io.belfry.cli.task;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import io.belfry.client.TaskRef;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "priority",
    description = "Changes the priority of a task that waits.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry task priority nightly-invoices@2026-11-16T02:30:00Z urgent")
final class TaskPriority extends Verb {
  /** As the API calls them. */
  enum Priority {
    LOW,
    NORMAL,
    HIGH,
    URGENT
  }

  @Parameters(index = "0", paramLabel = "ID", description = "Id of the task.")
  private String id = "";

  @Parameters(index = "1", paramLabel = "PRIORITY", description = "low, normal, high or urgent.")
  private Priority priority = Priority.NORMAL;

  TaskPriority(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    TaskRef task = client.tasks().prioritise(id, Words.of(priority));
    if (report.isDocument()) {
      report.document(task.document());
    } else {
      report.say("Task " + id + " will be " + Words.of(priority) + " in a moment.");
    }
    return 0;
  }
}
