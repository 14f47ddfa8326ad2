package io.belfry.cli.cluster;

import io.belfry.cli.show.Card;
import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.TextStyle;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "status",
    description = "Show the leader, the nodes and the storage engine.",
    footerHeading = "%nExamples:%n",
    footer = {"  belfry cluster status", "  belfry cluster status --output json"})
final class ClusterStatus extends Verb {
  ClusterStatus(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.cluster().status();
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    printer.card(card(printer, answer));
    var table = new Table(
        Column.key("NODE"),
        Column.key("ROLES"),
        Column.key("LEADER"),
        Column.text("ADDRESS", 12, 2),
        Column.spare("VERSION", 3),
        Column.spare("SINCE", 4),
        Column.spare("HEARTBEAT", 1));
    answer
        .path("nodes")
        .values()
        .forEach(node -> table.add(
            Cell.of(node.path("id").asString("")),
            Cell.of(ListText.join(node.path("roles"))),
            Cell.of(node.path("leads").asBoolean(false) ? "yes" : ""),
            Cell.of(node.path("address").asString("")),
            Cell.of(node.path("version").asString("")),
            Cell.of(printer.past(node, "since")),
            Cell.of(printer.past(node, "heartbeat"))));
    printer.blankLine();
    printer.table(table, "No nodes.");
    return 0;
  }

  private static Card card(Printer printer, JsonNode status) {
    boolean paused = status.path("paused").asBoolean(false);
    return new Card()
        .add("leader", leader(status))
        .add("since", printer.past(status, "since"))
        .add("term", status.path("term").asString(""))
        .add("elections", status.path("elections").asString(""))
        .add("engine", engine(status.path("engine")))
        .add("election", engine(status.path("electionEngine")))
        .add(
            "paused",
            new Cell(
                paused ? "yes: " + status.path("pausedFor").asString("") : "", TextStyle.WARNING))
        .add(
            "warning",
            new Cell(ListText.join(status.path("engine").path("warnings")), TextStyle.WARNING));
  }

  private static Cell leader(JsonNode status) {
    String leader = status.path("leader").asString("");
    return leader.isEmpty() ? new Cell("none", TextStyle.BAD) : new Cell(leader, TextStyle.GOOD);
  }

  private static String engine(JsonNode engine) {
    if (engine.isMissingNode()) {
      return "";
    }
    String durability = engine.path("durability").asString("");
    return (engine.path("kind").asString("") + " " + engine.path("version").asString("")).strip()
        + (durability.isEmpty() ? "" : ", " + durability);
  }
}
