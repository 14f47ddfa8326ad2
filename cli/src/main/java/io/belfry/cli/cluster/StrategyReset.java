package io.belfry.cli.cluster;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;

@Command(
    name = "reset",
    description = "Reset the statistics of the load balancer. The strategy stays.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster strategy reset")
final class StrategyReset extends Verb {
  StrategyReset(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    client.cluster().resetStrategy();
    printer.say("The statistics of the load balancer are reset.");
    return 0;
  }
}
