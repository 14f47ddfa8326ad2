package io.belfry.cli.cluster;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "capacity",
    description = "Set how many tasks a worker runs at the same time.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry workers capacity worker-3 16")
final class WorkersCapacity extends Verb {
  @Parameters(index = "0", paramLabel = "ID", description = "Id of the worker.")
  private String id = "";

  @Parameters(
      index = "1",
      paramLabel = "N",
      description = "Maximum number of concurrent attempts, 0 to 100000.")
  private int capacity;

  WorkersCapacity(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    client.workers().capacity(id, capacity);
    printer.say("Capacity " + capacity + " is requested for worker " + id + ".");
    return 0;
  }
}
