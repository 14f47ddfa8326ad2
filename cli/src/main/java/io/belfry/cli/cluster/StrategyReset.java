package io.belfry.cli.cluster;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;

@Command(
    name = "reset",
    description = "Clears what the balancer has counted and learned; the choice stays.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster strategy reset")
final class StrategyReset extends Verb {
  StrategyReset(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    client.cluster().resetStrategy();
    report.say("The balancer begins anew.");
    return 0;
  }
}
