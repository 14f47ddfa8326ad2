package io.belfry.cli.cluster;

import io.belfry.cli.show.Card;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "get",
    description = "Says how workers are chosen, and how they could be.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster strategy get")
final class StrategyGet extends Verb {
  StrategyGet(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = client.cluster().strategy();
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }

    report.card(new Card()
        .add("strategy", answer.path("strategy").asString(""))
        .add("known", Words.list(answer.path("known"))));
    return 0;
  }
}
