package io.belfry.cli.job;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Delete jobs. Their tasks continue. Use 'job restore' to bring a job back.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry job delete nightly-invoices weekly-report")
final class JobDelete extends Verb {
  @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of the jobs.")
  private List<String> ids = new ArrayList<>();

  JobDelete(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    return ForEachId.run(ids, printer, id -> {
      client.jobs().delete(id);
      printer.say("Job " + id + " is deleted.");
    });
  }
}
