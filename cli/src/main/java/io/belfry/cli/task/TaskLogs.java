package io.belfry.cli.task;

import io.belfry.cli.show.LogText;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import io.belfry.client.EventStream;
import io.belfry.client.ServerEvent;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "logs",
    description = "Shows what a task has logged; with -f also what it will, until it has ended.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry task logs nightly-invoices@2026-11-16T02:30:00Z",
      "  belfry task logs -f nightly-invoices@2026-11-16T02:30:00Z"
    })
final class TaskLogs extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the task.")
  private String id = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Goes on until the task has ended, across broken connections. Ctrl-C ends it.")
  private boolean follow;

  @Option(
      names = "--raw",
      description =
          "Prints every byte as it was logged. Default: text and colours, without what else a terminal would obey.")
  private boolean raw;

  private int attempt;
  private boolean inLine;
  private LogText shown = new LogText();

  TaskLogs(Surroundings around) {
    super(around);
  }

  @Override
  protected void check() {
    attempt = 0;
    shown = new LogText();
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    if (follow) {
      follow(client, report);
      return 0;
    }
    JsonNode answer = client.tasks().logs(id);
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }
    List<JsonNode> attempts = List.copyOf(answer.path("attempts").values());
    if (attempts.isEmpty()) {
      report.note("Task " + id + " has logged nothing.");
    }
    for (JsonNode each : attempts) {
      print(
          report,
          each.path("number").asInt(1),
          attempts.size() > 1,
          each.path("text").asString(""));
    }
    endLine(report);
    return 0;
  }

  private void follow(BelfryClient client, Report report) {
    try (EventStream stream = client
        .tasks()
        .follow(id, broken -> report.note("The connection broke off; trying again."))) {
      Optional<ServerEvent> event = stream.next();
      while (event.isPresent() && !report.isDeaf()) {
        show(report, event.get());
        event = stream.next();
      }
    }
    endLine(report);
  }

  private void show(Report report, ServerEvent event) {
    if (report.isDocument()) {
      report.documentLine(event.data());
      return;
    }
    int number = event.data().path("attempt").asInt(1);
    if (event.type().equals("anew")) {
      endLine(report);
      report.note(
          "The log is too long: its middle was left out. What is left of it, from the beginning:");
    }
    print(report, number, number > 1 || attempt > 1, event.data().path("text").asString(""));
    report.flush();
  }

  private void print(Report report, int number, boolean titled, String logged) {
    if (titled && number != attempt) {
      endLine(report);
      report.note("attempt " + number);
    }
    attempt = number;
    String text = raw ? report.raw(logged) : report.log(shown, logged);
    if (!text.isEmpty()) {
      inLine = !text.endsWith("\n");
    }
  }

  private void endLine(Report report) {
    if (!raw) {
      report.endOf(shown);
    }
    if (inLine) {
      report.blankLine();
      inLine = false;
    }
    report.flush();
  }
}
