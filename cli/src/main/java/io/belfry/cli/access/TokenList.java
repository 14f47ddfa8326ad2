package io.belfry.cli.access;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    description =
        "Lists the tokens that may do something in the namespace; never the tokens themselves.",
    footerHeading = "%nExamples:%n",
    footer = {"  belfry token list", "  belfry token list --all"})
final class TokenList extends Verb {
  @Option(
      names = "--all",
      description =
          "Lists the tokens of all namespaces, also of deleted ones; needs an admin of all.")
  private boolean all;

  TokenList(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = all ? client.access().allTokens() : client.access().tokens();
    if (report.isDocument()) {
      report.document(answer);
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
            Cell.of(report.past(each, "created")),
            Cell.of(each.has("expires") ? report.time(each, "expires") : "never"),
            Cell.of(each.path("by").asString(""))));
    report.table(table, "No tokens.");
    return 0;
  }
}
