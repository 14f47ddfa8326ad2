package io.belfry.cli.access;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.Tone;
import io.belfry.cli.verb.Listing;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
    name = "audit",
    description = "Shows who changed what, when and from where, the newest first.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry audit",
      "  belfry audit --limit 200 --utc",
      "  belfry audit --all --output json"
    })
final class AuditList extends Verb {
  @Mixin
  private Listing listing = new Listing();

  AuditList(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    listing.show(
        report,
        () -> client.access().audit(listing.limit(), listing.cursor()),
        () -> client.access().auditAll(listing.limit(), listing.cursor()),
        new Table(
            Column.key("WHEN"),
            Column.text("WHO", 8, 0),
            Column.spare("ROLE", 4),
            Column.key("ACTION"),
            Column.text("TARGET", 10, 1),
            Column.spare("FROM", 3),
            Column.spare("NODE", 5),
            Column.number("STATUS", 2)),
        (table, entry) -> row(report, table, entry),
        "Nothing was changed yet.");
    return 0;
  }

  @Override
  protected void check() {
    listing.check(this);
  }

  private static void row(Report report, Table table, JsonNode entry) {
    int status = entry.path("outcome").asInt(0);
    table.add(
        Cell.of(report.past(entry, "at")),
        Cell.of(entry.path("who").asString("")),
        Cell.of(entry.path("role").asString("")),
        Cell.of(entry.path("action").asString("")),
        Cell.of(entry.path("target").asString("")),
        Cell.of(entry.path("from").asString("")),
        Cell.of(entry.path("node").asString("")),
        new Cell(
            status == 0 ? "" : Integer.toString(status), status >= 400 ? Tone.BAD : Tone.PLAIN));
  }
}
