package io.belfry.cli.job;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "explain",
    description = "Show why a job did, did not, or will not fire at a given time.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry job explain nightly-invoices",
      "  belfry job explain nightly-invoices --at 2026-11-15T02:30:00Z"
    })
final class JobExplain extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the job.")
  private String id = "";

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "Fire time to explain. Default: the next fire time.")
  private @Nullable String at;

  JobExplain(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.jobs().explain(id, TimeOption.instant(this, "--at", at));
    if (printer.isDocument()) {
      printer.document(answer);
    } else {
      printer.say(answer.path("sentence").asString(""));
    }
    return 0;
  }
}
