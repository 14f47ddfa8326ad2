package io.belfry.cli.job;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Takes jobs out; their tasks go on. 'job restore' brings one back.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry job delete nightly-invoices weekly-report")
final class JobDelete extends Verb {
  @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of the jobs.")
  private List<String> ids = new ArrayList<>();

  JobDelete(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    return Each.of(ids, report, id -> {
      client.jobs().delete(id);
      report.say("Job " + id + " is deleted.");
    });
  }
}
