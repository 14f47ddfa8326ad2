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
    name = "enable",
    description = "Lets jobs fire.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry job enable nightly-invoices weekly-report")
final class JobEnable extends Verb {
  @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of the jobs.")
  private List<String> ids = new ArrayList<>();

  JobEnable(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    return Each.of(ids, report, id -> {
      JsonNode job = client.jobs().enable(id);
      if (report.isDocument()) {
        report.document(job);
      } else {
        report.say("Job " + id + " is enabled." + next(report, job));
      }
    });
  }

  private static String next(Report report, JsonNode job) {
    String next = report.time(job, "next");
    return next.isEmpty() ? "" : " Next: " + next + ".";
  }
}
