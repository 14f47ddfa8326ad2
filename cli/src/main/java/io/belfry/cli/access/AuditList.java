package io.belfry.cli.access;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.TextStyle;
import io.belfry.cli.verb.PageOptions;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
    name = "audit",
    description =
        "Show the audit log, the newest entry first: who changed what, when and from where.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry audit",
      "  belfry audit --limit 200 --utc",
      "  belfry audit --all --output json"
    })
final class AuditList extends Verb {
  @Mixin
  private PageOptions listing = new PageOptions();

  AuditList(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    listing.show(
        printer,
        () -> client.access().audit(listing.limit(), listing.cursor()),
        () -> client.access().auditAll(listing.limit(), listing.cursor()),
        new Table(
            Column.key("TIME"),
            Column.text("ACTOR", 8, 0),
            Column.spare("ROLE", 4),
            Column.key("ACTION"),
            Column.text("TARGET", 10, 1),
            Column.spare("ADDRESS", 3),
            Column.spare("NODE", 5),
            Column.number("STATUS", 2)),
        (table, entry) -> row(printer, table, entry),
        "The audit log is empty.");
    return 0;
  }

  @Override
  protected void check() {
    listing.check(this);
  }

  private static void row(Printer printer, Table table, JsonNode entry) {
    int status = entry.path("outcome").asInt(0);
    table.add(
        Cell.of(printer.past(entry, "at")),
        Cell.of(entry.path("who").asString("")),
        Cell.of(entry.path("role").asString("")),
        Cell.of(entry.path("action").asString("")),
        Cell.of(entry.path("target").asString("")),
        Cell.of(entry.path("from").asString("")),
        Cell.of(entry.path("node").asString("")),
        new Cell(
            status == 0 ? "" : Integer.toString(status),
            status >= 400 ? TextStyle.BAD : TextStyle.PLAIN));
  }
}
