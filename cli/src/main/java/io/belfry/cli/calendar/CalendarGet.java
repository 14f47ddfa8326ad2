package io.belfry.cli.calendar;

import io.belfry.cli.show.Card;
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
    name = "get",
    description = "Shows one calendar; as yaml in the form that 'calendar apply' takes.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry calendar get working-days",
      "  belfry calendar get working-days --output yaml > working-days.yaml"
    })
final class CalendarGet extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the calendar.")
  private String name = "";

  CalendarGet(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = client.calendars().get(name);
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }

    report.card(new Card()
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
      report.blankLine();
      report.table(table, "");
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
