package io.belfry.cli.cluster;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "pause",
    description = "Nothing fires and nothing is begun in the namespace until it is resumed.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry cluster pause --reason 'moving the database'")
final class ClusterPause extends Verb {
  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "For the others, who will want to know.")
  private String reason = "";

  ClusterPause(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    client.cluster().pause(reason);
    report.say("The namespace is paused. Let it go on with 'belfry cluster resume'.");
    return 0;
  }
}
