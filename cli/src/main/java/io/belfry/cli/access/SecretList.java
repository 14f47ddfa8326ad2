package io.belfry.cli.access;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    description = "List secrets and their destinations. Values are never shown.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry secret list")
final class SecretList extends Verb {
  SecretList(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.access().secrets();
    if (printer.isDocument()) {
      printer.document(answer);
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
            Cell.of(printer.past(each, "updated")),
            Cell.of(each.path("by").asString(""))));
    printer.table(table, "No secrets.");
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
