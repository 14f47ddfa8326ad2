package io.belfry.cli.access;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    description = "Lists the stored secrets with their destinations; their values are never shown.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry secret list")
final class SecretList extends Verb {
  SecretList(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = client.access().secrets();
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }

    var table = new Table(
        Column.key("NAME"),
        Column.text("DESTINATIONS", 20, 2),
        Column.key("UPDATED"),
        Column.text("BY", 6, 1));
    answer
        .path("items")
        .values()
        .forEach(each -> table.add(
            Cell.of(each.path("name").asString("")),
            Cell.of(destinations(each)),
            Cell.of(report.past(each, "updated")),
            Cell.of(each.path("by").asString(""))));
    report.table(table, "No secrets.");
    return 0;
  }

  private static String destinations(JsonNode secret) {
    String all = secret
        .path("destinations")
        .valueStream()
        .map(one -> one.asString(""))
        .collect(Collectors.joining(", "));
    return secret.path("unrestricted").asBoolean(false) ? all + " (warning: any server)" : all;
  }
}
