package io.belfry.cli.job;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "disable",
    description = "Keeps jobs from firing; what is under way goes on.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry job disable nightly-invoices weekly-report")
final class JobDisable extends Verb {
  @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of the jobs.")
  private List<String> ids = new ArrayList<>();

  JobDisable(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    return Each.of(ids, report, id -> {
      JsonNode job = client.jobs().disable(id);
      if (report.isDocument()) {
        report.document(job);
      } else {
        report.say("Job " + id + " is disabled.");
      }
    });
  }
}
