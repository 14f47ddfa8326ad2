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
    name = "enable",
    description = "Enable jobs, so that their triggers fire.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry job enable nightly-invoices weekly-report")
final class JobEnable extends Verb {
  @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of the jobs.")
  private List<String> ids = new ArrayList<>();

  JobEnable(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    return ForEachId.run(ids, printer, id -> {
      JsonNode job = client.jobs().enable(id);
      if (printer.isDocument()) {
        printer.document(job);
      } else {
        printer.say("Job " + id + " is enabled." + next(printer, job));
      }
    });
  }

  private static String next(Printer printer, JsonNode job) {
    String next = printer.time(job, "next");
    return next.isEmpty() ? "" : " Next: " + next + ".";
  }
}
