package io.belfry.cli.job;

import io.belfry.cli.show.ShellQuote;
import io.belfry.cli.verb.Payload;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
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
        "Trigger a job now. With --at, trigger it for a fire time; repeating that creates no second task.",
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
      description =
          "Fire time of the task. If a task for this fire time exists, no other one is created. Default: now.")
  private @Nullable String at;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "Payload to use instead of the payload of the job: " + Payload.HELP)
  private @Nullable String payload;

  @Option(
      names = "--worker",
      paramLabel = "ID",
      description = "Id of the worker that runs the task. Default: chosen by the load balancer.")
  private @Nullable String worker;

  JobTrigger(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) throws IOException {
    TaskRef task = client
        .jobs()
        .trigger(
            id,
            TimeOption.instant(this, "--at", at),
            Payload.read(this, "--payload", payload),
            Optional.ofNullable(worker));
    if (printer.isDocument()) {
      printer.document(task.document());
    } else if (task.repeated()) {
      printer.say("Task " + task.id() + " already exists.");
    } else {
      printer.say("Task " + task.id() + " is created. Follow its log with: belfry task logs -f "
          + ShellQuote.of(task.id()));
    }
    return 0;
  }
}
