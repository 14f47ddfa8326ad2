package io.belfry.cli.job;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "disable",
    description = "Disable jobs, so that they do not fire. Tasks that already exist continue.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry job disable nightly-invoices weekly-report")
final class JobDisable extends Verb {
  @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of the jobs.")
  private List<String> ids = new ArrayList<>();

  JobDisable(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    return ForEachId.run(ids, printer, id -> {
      JsonNode job = client.jobs().disable(id);
      if (printer.isDocument()) {
        printer.document(job);
      } else {
        printer.say("Job " + id + " is disabled.");
      }
    });
  }
}
