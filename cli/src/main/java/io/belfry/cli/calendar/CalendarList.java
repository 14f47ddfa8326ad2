package io.belfry.cli.calendar;

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
    description = "List calendars.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry calendar list")
final class CalendarList extends Verb {
  CalendarList(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.calendars().list();
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    var table = new Table(
        Column.key("NAME"),
        Column.spare("ZONE", 2),
        Column.spare("OTHERWISE", 1),
        Column.spare("BASE", 3),
        Column.number("RULES", 4));
    answer
        .path("items")
        .values()
        .forEach(each -> table.add(
            Cell.of(each.path("name").asString("")),
            Cell.of(each.path("zone").asString("")),
            Cell.of(each.path("otherwise").asString("")),
            Cell.of(each.path("base").asString("")),
            Cell.of(Integer.toString(each.path("rules").size()))));
    printer.table(table, "No calendars.");
    return 0;
  }
}
