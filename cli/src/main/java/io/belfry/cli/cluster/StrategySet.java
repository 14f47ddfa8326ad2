package io.belfry.cli.cluster;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "set",
    description = "Set the load-balancing strategy of the namespace.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster strategy set round-robin")
final class StrategySet extends Verb {
  @Parameters(
      paramLabel = "NAME",
      description = "Name of the strategy, as shown by 'strategy get'.")
  private String name = "";

  StrategySet(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.cluster().strategy(name);
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    printer.say(
        "The load-balancing strategy is " + answer.path("strategy").asString(name) + " now.");
    return 0;
  }
}
