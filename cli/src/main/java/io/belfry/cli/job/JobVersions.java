package io.belfry.cli.job;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "versions",
    description =
        "Lists the last definitions of a job, the newest first, with what each changed; also of one that was deleted.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry job versions nightly-invoices",
      "  belfry job versions nightly-invoices --output yaml"
    })
final class JobVersions extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the job.")
  private String id = "";

  JobVersions(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = client.jobs().versions(id);
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }
    var table = new Table(
        Column.number("GENERATION", 0), Column.key("SAVED"), Column.text("CHANGED", 20, 1));
    JsonNode items = answer.path("items");
    for (int i = 0; i < items.size(); i++) {
      JsonNode version = items.get(i);
      table.add(
          Cell.of(version.path("generation").asString("")),
          Cell.of(report.past(version, "updated")),
          Cell.of(
              i + 1 < items.size()
                  ? change(report, items.get(i + 1), version)
                  : "the oldest kept"));
    }
    report.table(table, "No versions.");
    return 0;
  }

  private static String change(Report report, JsonNode before, JsonNode after) {
    return Difference.between(before, after).stream()
        .map(each -> each.text(report.screen().arrow()))
        .reduce((a, b) -> a + "; " + b)
        .orElse("nothing");
  }
}
