package io.belfry.cli.job;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "explain",
    description = "Says why a job did, did not, or will not fire at an instant.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry job explain nightly-invoices",
      "  belfry job explain nightly-invoices --at 2026-11-15T02:30:00Z"
    })
final class JobExplain extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the job.")
  private String id = "";

  @Option(names = "--at", paramLabel = "TIME", description = "The instant. Default: its next one.")
  private @Nullable String at;

  JobExplain(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = client.jobs().explain(id, TimeOption.instant(this, "--at", at));
    if (report.isDocument()) {
      report.document(answer);
    } else {
      report.say(answer.path("sentence").asString(""));
    }
    return 0;
  }
}
