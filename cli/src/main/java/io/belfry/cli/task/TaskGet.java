package io.belfry.cli.task;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "get",
    description = "Show a task and its attempts.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry task get nightly-invoices@2026-11-16T02:30:00Z",
      "  belfry task get 01k8f --output json"
    })
final class TaskGet extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the task.")
  private String id = "";

  TaskGet(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode task = client.tasks().get(id);
    if (printer.isDocument()) {
      printer.document(task);
    } else {
      TaskText.show(printer, task);
    }
    return 0;
  }
}
