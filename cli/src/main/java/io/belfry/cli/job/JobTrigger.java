package io.belfry.cli.job;

import io.belfry.cli.show.ShellWord;
import io.belfry.cli.verb.Payload;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import io.belfry.client.TaskRef;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "trigger",
    description =
        "Makes a task of a job now, or its one task for an instant, however often it is asked for.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry job trigger nightly-invoices",
      "  belfry job trigger nightly-invoices --at 2027-01-01T02:30:00Z",
      "  belfry job trigger nightly-invoices --payload '{\"region\":\"eu\"}' --worker worker-3"
    })
final class JobTrigger extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the job.")
  private String id = "";

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "The task of this instant; if it was asked for before, that one.")
  private @Nullable String at;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "Instead of the job's own: " + Payload.HELP)
  private @Nullable String payload;

  @Option(names = "--worker", paramLabel = "ID", description = "The worker that shall run it.")
  private @Nullable String worker;

  JobTrigger(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) throws IOException {
    TaskRef task = client
        .jobs()
        .trigger(
            id,
            TimeOption.instant(this, "--at", at),
            Payload.read(this, "--payload", payload),
            Optional.ofNullable(worker));
    if (report.isDocument()) {
      report.document(task.document());
    } else if (task.repeated()) {
      report.say("Task " + task.id() + " was asked for before.");
    } else {
      report.say("Task " + task.id() + " is made. Follow it with: belfry task logs -f "
          + ShellWord.of(task.id()));
    }
    return 0;
  }
}
