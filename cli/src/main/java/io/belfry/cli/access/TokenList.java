package io.belfry.cli.access;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    description = "List the tokens that can access the namespace. Token values are never shown.",
    footerHeading = "%nExamples:%n",
    footer = {"  belfry token list", "  belfry token list --all"})
final class TokenList extends Verb {
  @Option(
      names = "--all",
      description =
          "List the tokens of all namespaces, including deleted ones. Requires the role admin in all namespaces.")
  private boolean all;

  TokenList(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = all ? client.access().allTokens() : client.access().tokens();
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    var table = new Table(
        Column.key("ID"),
        Column.text("NAME", 8, 0),
        Column.key("ROLE"),
        Column.spare("NAMESPACE", 2),
        Column.spare("CREATED", 4),
        Column.spare("EXPIRES", 1),
        Column.text("BY", 6, 5));
    answer
        .path("items")
        .values()
        .forEach(each -> table.add(
            Cell.of(each.path("id").asString("")),
            Cell.of(each.path("name").asString("")),
            Cell.of(each.path("role").asString("")),
            Cell.of(
                each.path("allNamespaces").asBoolean(false)
                    ? "all"
                    : each.path("namespace").asString("")
                        + (each.path("namespaceDeleted").asBoolean(false) ? " (deleted)" : "")),
            Cell.of(printer.past(each, "created")),
            Cell.of(each.has("expires") ? printer.time(each, "expires") : "never"),
            Cell.of(each.path("by").asString(""))));
    printer.table(table, "No tokens.");
    return 0;
  }
}
