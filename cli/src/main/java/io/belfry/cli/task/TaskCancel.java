package io.belfry.cli.task;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import io.belfry.client.TaskRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "cancel",
    description =
        "Cancel a task. A waiting task ends at once; the code of a running task is interrupted.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry task cancel nightly-invoices@2026-11-16T02:30:00Z --reason 'wrong month'")
final class TaskCancel extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the task.")
  private String id = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Reason to store with the task.")
  private @Nullable String reason;

  TaskCancel(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    TaskRef task = client.tasks().cancel(id, Optional.ofNullable(reason));
    if (printer.isDocument()) {
      printer.document(task.document());
    } else {
      printer.say("Cancellation of task " + id + " is requested.");
    }
    return 0;
  }
}
