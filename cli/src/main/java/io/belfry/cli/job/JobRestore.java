package io.belfry.cli.job;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "restore",
    description = "Saves an earlier definition of a job again, as a new generation.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry job restore nightly-invoices 4")
final class JobRestore extends Verb {
  @Parameters(index = "0", paramLabel = "ID", description = "Id of the job.")
  private String id = "";

  @Parameters(index = "1", paramLabel = "GENERATION", description = "As 'job versions' shows it.")
  private long generation;

  JobRestore(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode job = client.jobs().restore(id, generation);
    if (report.isDocument()) {
      report.document(job);
    } else {
      report.say("Job " + id + " is again as it was in generation " + generation
          + ", as generation " + job.path("generation").asString("?") + ".");
    }
    return 0;
  }
}
