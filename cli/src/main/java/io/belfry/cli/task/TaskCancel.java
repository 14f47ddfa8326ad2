package io.belfry.cli.task;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
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
        "Asks for the end of a task: at once while it waits, otherwise its code is interrupted.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry task cancel nightly-invoices@2026-11-16T02:30:00Z --reason 'wrong month'")
final class TaskCancel extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the task.")
  private String id = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "For those who ask later.")
  private @Nullable String reason;

  TaskCancel(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    TaskRef task = client.tasks().cancel(id, Optional.ofNullable(reason));
    if (report.isDocument()) {
      report.document(task.document());
    } else {
      report.say("Task " + id + " will end in a moment.");
    }
    return 0;
  }
}
