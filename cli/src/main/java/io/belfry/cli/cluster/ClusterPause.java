package io.belfry.cli.cluster;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "pause",
    description = "Pause the namespace: no job fires and no task starts until it is resumed.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster pause --reason 'moving the database'")
final class ClusterPause extends Verb {
  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Reason to show to other users.")
  private String reason = "";

  ClusterPause(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    client.cluster().pause(reason);
    printer.say("The namespace is paused. Resume it with 'belfry cluster resume'.");
    return 0;
  }
}
