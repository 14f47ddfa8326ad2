package io.belfry.cli.cluster;

import io.belfry.cli.show.Card;
import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.Tone;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "status",
    description = "Says who leads, which nodes there are, and how the engine is.",
    footerHeading = "%nExamples:%n",
    footer = {"  belfry cluster status", "  belfry cluster status --output json"})
final class ClusterStatus extends Verb {
  ClusterStatus(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = client.cluster().status();
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }

    report.card(card(report, answer));
    var table = new Table(
        Column.key("NODE"),
        Column.key("ROLES"),
        Column.key("LEADS"),
        Column.text("ADDRESS", 12, 2),
        Column.spare("VERSION", 3),
        Column.spare("SINCE", 4),
        Column.spare("SEEN", 1));
    answer
        .path("nodes")
        .values()
        .forEach(node -> table.add(
            Cell.of(node.path("id").asString("")),
            Cell.of(Words.list(node.path("roles"))),
            Cell.of(node.path("leads").asBoolean(false) ? "yes" : ""),
            Cell.of(node.path("address").asString("")),
            Cell.of(node.path("version").asString("")),
            Cell.of(report.past(node, "since")),
            Cell.of(report.past(node, "heartbeat"))));
    report.blankLine();
    report.table(table, "No nodes.");
    return 0;
  }

  private static Card card(Report report, JsonNode status) {
    boolean paused = status.path("paused").asBoolean(false);
    return new Card()
        .add("leader", leader(status))
        .add("since", report.past(status, "since"))
        .add("term", status.path("term").asString(""))
        .add("elections", status.path("elections").asString(""))
        .add("engine", engine(status.path("engine")))
        .add("elected by", engine(status.path("electionEngine")))
        .add(
            "paused",
            new Cell(paused ? "yes: " + status.path("pausedFor").asString("") : "", Tone.WARNING))
        .add("warning", new Cell(Words.list(status.path("engine").path("warnings")), Tone.WARNING));
  }

  private static Cell leader(JsonNode status) {
    String leader = status.path("leader").asString("");
    return leader.isEmpty() ? new Cell("nobody", Tone.BAD) : new Cell(leader, Tone.GOOD);
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
