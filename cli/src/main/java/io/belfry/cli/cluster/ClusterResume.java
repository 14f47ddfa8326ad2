package io.belfry.cli.cluster;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;

@Command(
    name = "resume",
    description = "Lets a paused namespace go on.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster resume")
final class ClusterResume extends Verb {
  ClusterResume(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    client.cluster().resume();
    report.say("The namespace goes on.");
    return 0;
  }
}
