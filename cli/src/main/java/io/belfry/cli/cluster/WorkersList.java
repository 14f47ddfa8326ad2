package io.belfry.cli.cluster;

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
    description = "List live workers with their status, load and capacity.",
    footerHeading = "%nExamples:%n",
    footer = {"  belfry workers list", "  belfry workers list --output yaml"})
final class WorkersList extends Verb {
  WorkersList(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.workers().list();
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    var table = new Table(
        Column.key("ID"),
        Column.text("NAME", 8, 3),
        Column.key("STATUS"),
        Column.number("RUNNING", 1),
        Column.number("CAPACITY", 2),
        Column.text("LABELS", 8, 6),
        Column.text("QUEUES", 8, 7),
        Column.spare("SINCE", 5),
        Column.spare("HEARTBEAT", 4));
    answer.path("items").values().forEach(worker -> row(printer, table, worker));
    printer.table(table, "No workers.");
    return 0;
  }

  private static void row(Printer printer, Table table, JsonNode worker) {
    String id = worker.path("id").asString("");
    String name = worker.path("name").asString("");
    table.add(
        Cell.of(id),
        Cell.of(name.equals(id) ? "" : name),
        Cell.word(worker.path("status").asString("")),
        Cell.of(worker.path("running").asString("")),
        Cell.of(worker.path("capacity").asString("")),
        Cell.of(ListText.labels(worker.path("labels"))),
        Cell.of(ListText.join(worker.path("queues"))),
        Cell.of(printer.past(worker, "since")),
        Cell.of(printer.past(worker, "heartbeat")));
  }
}
