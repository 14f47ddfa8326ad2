package io.belfry.cli.cluster;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "drain",
    description =
        "Drain a worker: it gets no new tasks, and its running tasks continue. --undo reverses that.",
    footerHeading = "%nExamples:%n",
    footer = {"  belfry workers drain worker-3", "  belfry workers drain worker-3 --undo"})
final class WorkersDrain extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the worker.")
  private String id = "";

  @Option(names = "--undo", description = "End draining: give the worker new tasks again.")
  private boolean undo;

  WorkersDrain(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    if (undo) {
      client.workers().undrain(id);
      printer.say("Worker " + id + " is no longer draining.");
    } else {
      client.workers().drain(id);
      printer.say("Worker " + id + " is draining: it gets no new tasks.");
    }
    return 0;
  }
}
