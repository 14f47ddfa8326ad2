package io.belfry.cli.access;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    description = "List the namespaces that your token may access.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry namespace list")
final class NamespaceList extends Verb {
  NamespaceList(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.namespaces().list();
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    var table = new Table(
        Column.key("NAME"),
        Column.spare("ROLE", 1),
        Column.spare("PAUSED", 2),
        Column.spare("CREATED", 3),
        Column.text("DESCRIPTION", 12, 4));
    answer
        .path("items")
        .values()
        .forEach(each -> table.add(
            Cell.of(each.path("name").asString("")),
            Cell.of(each.path("role").asString("")),
            Cell.of(each.path("paused").asBoolean(false) ? "yes" : ""),
            Cell.of(printer.past(each, "created")),
            Cell.of(each.path("description").asString(""))));
    printer.table(table, "No namespaces.");
    return 0;
  }
}
