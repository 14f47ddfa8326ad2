package io.belfry.cli.cluster;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;

@Command(
    name = "resume",
    description = "Resume a paused namespace.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster resume")
final class ClusterResume extends Verb {
  ClusterResume(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    client.cluster().resume();
    printer.say("The namespace is resumed.");
    return 0;
  }
}
