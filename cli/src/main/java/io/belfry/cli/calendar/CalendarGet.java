package io.belfry.cli.calendar;

import io.belfry.cli.show.Card;
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
    name = "get",
    description =
        "Show a calendar. --output yaml prints it in the format that 'calendar apply' reads.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry calendar get working-days",
      "  belfry calendar get working-days --output yaml > working-days.yaml"
    })
final class CalendarGet extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the calendar.")
  private String name = "";

  CalendarGet(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.calendars().get(name);
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    printer.card(new Card()
        .add("name", answer.path("name").asString(name))
        .add("zone", answer.path("zone").asString(""))
        .add("base", answer.path("base").asString(""))
        .add("otherwise", answer.path("otherwise").asString("")));
    var table = new Table(Column.key("RULE"), Column.text("DAYS", 12, 0));
    answer
        .path("rules")
        .values()
        .forEach(rule -> rule.properties()
            .forEach(each -> table.add(Cell.of(each.getKey()), Cell.of(days(each.getValue())))));
    if (!table.isEmpty()) {
      printer.blankLine();
      printer.table(table, "");
    }
    return 0;
  }

  private static String days(JsonNode days) {
    return days.properties().stream()
        .map(each -> each.getKey() + " " + text(each.getValue()))
        .reduce((a, b) -> a + ", " + b)
        .orElse("");
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? value.values().stream()
            .map(each -> each.asString(""))
            .reduce((a, b) -> a + ", " + b)
            .orElse("")
        : value.asString("");
  }
}
