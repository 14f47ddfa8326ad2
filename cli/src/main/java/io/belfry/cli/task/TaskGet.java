package io.belfry.cli.task;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "get",
    description = "Shows one task, as it stands or as it ended, with its attempts.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry task get nightly-invoices@2026-11-16T02:30:00Z",
      "  belfry task get 01k8f --output json"
    })
final class TaskGet extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the task.")
  private String id = "";

  TaskGet(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode task = client.tasks().get(id);
    if (report.isDocument()) {
      report.document(task);
    } else {
      TaskText.show(report, task);
    }
    return 0;
  }
}
