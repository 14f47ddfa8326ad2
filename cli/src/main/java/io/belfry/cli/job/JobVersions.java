package io.belfry.cli.job;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "versions",
    description =
        "List the latest versions of a job and what each changed, the newest first. Works for deleted jobs, too.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry job versions nightly-invoices",
      "  belfry job versions nightly-invoices --output yaml"
    })
final class JobVersions extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the job.")
  private String id = "";

  JobVersions(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.jobs().versions(id);
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }
    var table = new Table(
        Column.number("GENERATION", 0), Column.key("SAVED"), Column.text("CHANGED", 20, 1));
    JsonNode items = answer.path("items");
    for (int i = 0; i < items.size(); i++) {
      JsonNode version = items.get(i);
      table.add(
          Cell.of(version.path("generation").asString("")),
          Cell.of(printer.past(version, "updated")),
          Cell.of(
              i + 1 < items.size()
                  ? change(printer, items.get(i + 1), version)
                  : "(oldest version kept)"));
    }
    printer.table(table, "No versions.");
    return 0;
  }

  private static String change(Printer printer, JsonNode before, JsonNode after) {
    return Difference.between(before, after).stream()
        .map(each -> each.text(printer.screen().arrow()))
        .reduce((a, b) -> a + "; " + b)
        .orElse("nothing");
  }
}
