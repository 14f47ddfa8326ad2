package io.belfry.cli.calendar;

import io.belfry.cli.verb.CliException;
import io.belfry.cli.verb.Documents;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.ApiException;
import io.belfry.client.BelfryClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "apply",
    description =
        "Create or update calendars from files. The leader recalculates the fire times of the jobs that use them.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry calendar apply -f working-days.yaml",
      "  belfry calendar apply -f calendars/"
    })
final class CalendarApply extends Verb {
  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "File, folder (read recursively), or - for standard input. Can be repeated.")
  private List<String> files = new ArrayList<>();

  CalendarApply(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) throws IOException {
    Documents.Found found = Documents.read(files, context().in());
    int refused = found.broken().size();
    found.broken().forEach(broken -> printer.note(broken.file() + ": " + broken.why()));
    for (Documents.Document document : found.documents()) {
      refused += save(client, printer, document) ? 0 : 1;
    }
    return refused == 0 ? 0 : 1;
  }

  private static boolean save(BelfryClient client, Printer printer, Documents.Document document) {
    String name = document.content().path("name").asString("");
    if (name.isEmpty()) {
      printer.note(document.place()
          + ", name: a calendar must have a name, but this one has none. Add the field name.");
      return false;
    }
    try {
      JsonNode saved = client.calendars().put(name, document.content());
      if (printer.isDocument()) {
        printer.document(saved);
      } else {
        printer.say("Calendar " + name + " is saved.");
      }
      return true;
    } catch (ApiException e) {
      if (e.status() == 401 || e.status() == 403) {
        throw e;
      }
      printer.note(CliException.at(
          document.place() + ", calendar " + name,
          e.field().orElse(""),
          String.valueOf(e.getMessage())));
      return false;
    }
  }
}
