package io.belfry.cli.cluster;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "drain",
    description =
        "Gives a worker nothing new; what it has goes on. With --undo it goes on taking tasks.",
    footerHeading = "%nExamples:%n",
    footer = {"  belfry workers drain worker-3", "  belfry workers drain worker-3 --undo"})
final class WorkersDrain extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the worker.")
  private String id = "";

  @Option(names = "--undo", description = "Lets it take tasks again.")
  private boolean undo;

  WorkersDrain(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    if (undo) {
      client.workers().undrain(id);
      report.say("Worker " + id + " takes tasks again in a moment.");
    } else {
      client.workers().drain(id);
      report.say("Worker " + id + " gets nothing new from now on.");
    }
    return 0;
  }
}
