package io.belfry.cli.task;

import io.belfry.cli.show.LogText;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
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
    description = "Print the log of a task. With --follow, stream it until the task has ended.",
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
      description =
          "Stream the log until the task has ended; reconnect after a lost connection. Stop with Ctrl-C.")
  private boolean follow;

  @Option(
      names = "--raw",
      description =
          "Print the log unchanged, including terminal control sequences. Default: only text and colors.")
  private boolean raw;

  private int attempt;
  private boolean inLine;
  private LogText shown = new LogText();

  TaskLogs(VerbContext context) {
    super(context);
  }

  @Override
  protected void check() {
    attempt = 0;
    shown = new LogText();
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    if (follow) {
      follow(client, printer);
      return 0;
    }
    JsonNode answer = client.tasks().logs(id);
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }
    List<JsonNode> attempts = List.copyOf(answer.path("attempts").values());
    if (attempts.isEmpty()) {
      printer.note("Task " + id + " has no log output.");
    }
    for (JsonNode each : attempts) {
      print(
          printer,
          each.path("number").asInt(1),
          attempts.size() > 1,
          each.path("text").asString(""));
    }
    endLine(printer);
    return 0;
  }

  private void follow(BelfryClient client, Printer printer) {
    try (EventStream stream =
        client.tasks().follow(id, broken -> printer.note("Connection lost; reconnecting."))) {
      Optional<ServerEvent> event = stream.next();
      while (event.isPresent() && !printer.isClosed()) {
        show(printer, event.get());
        event = stream.next();
      }
    }
    endLine(printer);
  }

  private void show(Printer printer, ServerEvent event) {
    if (printer.isDocument()) {
      printer.documentLine(event.data());
      return;
    }
    int number = event.data().path("attempt").asInt(1);
    if (event.type().equals("anew")) {
      endLine(printer);
      printer.note(
          "The log exceeded its size limit, so its middle was dropped. What is kept follows from the beginning:");
    }
    print(printer, number, number > 1 || attempt > 1, event.data().path("text").asString(""));
    printer.flush();
  }

  private void print(Printer printer, int number, boolean titled, String logged) {
    if (titled && number != attempt) {
      endLine(printer);
      printer.note("attempt " + number);
    }
    attempt = number;
    String text = raw ? printer.raw(logged) : printer.log(shown, logged);
    if (!text.isEmpty()) {
      inLine = !text.endsWith("\n");
    }
  }

  private void endLine(Printer printer) {
    if (!raw) {
      printer.endLog(shown);
    }
    if (inLine) {
      printer.blankLine();
      inLine = false;
    }
    printer.flush();
  }
}
