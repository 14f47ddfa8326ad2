package io.belfry.cli.cluster;

import io.belfry.cli.show.Card;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "get",
    description = "Show the load-balancing strategy of the namespace and the available strategies.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster strategy get")
final class StrategyGet extends Verb {
  StrategyGet(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.cluster().strategy();
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    printer.card(new Card()
        .add("strategy", answer.path("strategy").asString(""))
        .add("available", ListText.join(answer.path("known"))));
    return 0;
  }
}
