package io.belfry.cli.cluster;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "capacity",
    description = "Changes how many attempts a worker holds at most.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry workers capacity worker-3 16")
final class WorkersCapacity extends Verb {
  @Parameters(index = "0", paramLabel = "ID", description = "Id of the worker.")
  private String id = "";

  @Parameters(index = "1", paramLabel = "N", description = "0 to 100000.")
  private int capacity;

  WorkersCapacity(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    client.workers().capacity(id, capacity);
    report.say("Worker " + id + " holds up to " + capacity + " attempts in a moment.");
    return 0;
  }
}
