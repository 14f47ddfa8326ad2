package io.belfry.cli.cluster;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "set",
    description = "Chooses how workers are chosen, for the whole namespace.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster strategy set round-robin")
final class StrategySet extends Verb {
  @Parameters(paramLabel = "NAME", description = "One that 'strategy get' shows.")
  private String name = "";

  StrategySet(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = client.cluster().strategy(name);
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }

    report.say("Workers are chosen by " + answer.path("strategy").asString(name) + " from now on.");
    return 0;
  }
}
