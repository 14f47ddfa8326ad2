package io.belfry.cli.calendar;

import io.belfry.cli.verb.Complaint;
import io.belfry.cli.verb.Documents;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
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
    description = "Saves calendars from files; the jobs that go by them are planned anew.",
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
      description = "File, folder (with all below it), or - for standard input. May be repeated.")
  private List<String> files = new ArrayList<>();

  CalendarApply(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) throws IOException {
    Documents.Found found = Documents.read(files, around().in());
    int refused = found.broken().size();
    found.broken().forEach(broken -> report.note(broken.file() + ": " + broken.why()));
    for (Documents.Document document : found.documents()) {
      refused += save(client, report, document) ? 0 : 1;
    }
    return refused == 0 ? 0 : 1;
  }

  private static boolean save(BelfryClient client, Report report, Documents.Document document) {
    String name = document.content().path("name").asString("");
    if (name.isEmpty()) {
      report.note(
          document.place() + ", name: a calendar is known by its name, but has none. Give it one.");
      return false;
    }
    try {
      JsonNode saved = client.calendars().put(name, document.content());
      if (report.isDocument()) {
        report.document(saved);
      } else {
        report.say("Calendar " + name + " is saved.");
      }
      return true;
    } catch (ApiException e) {
      if (e.status() == 401 || e.status() == 403) {
        throw e;
      }
      report.note(Complaint.at(
          document.place() + ", calendar " + name,
          e.field().orElse(""),
          String.valueOf(e.getMessage())));
      return false;
    }
  }
}
