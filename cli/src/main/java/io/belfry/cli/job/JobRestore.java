package io.belfry.cli.job;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "restore",
    description = "Restore an earlier version of a job as a new generation.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry job restore nightly-invoices 4")
final class JobRestore extends Verb {
  @Parameters(index = "0", paramLabel = "ID", description = "Id of the job.")
  private String id = "";

  @Parameters(
      index = "1",
      paramLabel = "GENERATION",
      description = "Generation to restore, as shown by 'job versions'.")
  private long generation;

  JobRestore(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode job = client.jobs().restore(id, generation);
    if (printer.isDocument()) {
      printer.document(job);
    } else {
      printer.say("Job " + id + " is restored from generation " + generation + " as generation "
          + job.path("generation").asString("?") + ".");
    }
    return 0;
  }
}
