package io.belfry.cli.job;

import io.belfry.cli.show.Card;
import io.belfry.cli.show.Cell;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "get",
    description = "Show a job. --output yaml prints it in the format that 'job apply' reads.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry job get nightly-invoices",
      "  belfry job get nightly-invoices --output yaml > nightly-invoices.yaml"
    })
final class JobGet extends Verb {
  @Parameters(paramLabel = "ID", description = "Id of the job.")
  private String id = "";

  JobGet(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode job = client.jobs().get(id);
    if (printer.isDocument()) {
      printer.document(job);
    } else {
      printer.card(card(printer, job));
    }
    return 0;
  }

  private static Card card(Printer printer, JsonNode job) {
    JsonNode retry = job.path("retry");
    return new Card()
        .add("id", job.path("id").asString(""))
        .add("name", job.path("name").asString(""))
        .add("description", job.path("description").asString(""))
        .add("state", Cell.word(JobText.state(job)))
        .add("trigger", JobText.trigger(job))
        .add("next", printer.time(job, "next"))
        .add("last", printer.past(job, "last"))
        .add("executor", JobText.executor(job.path("executor")))
        .add("payload", job.has("payload") ? job.path("payload").toString() : "")
        .add("timeout", job.path("timeout").asString(""))
        .add("retry", retry.isMissingNode() ? "" : retry(retry))
        .add("missed", job.path("missed").path("policy").asString(""))
        .add("overlap", job.path("overlap").asString(""))
        .add("priority", job.path("priority").asString(""))
        .add("queue", job.path("queue").asString(""))
        .add("workers", JobText.labels(job.path("workers")))
        .add("metadata", JobText.labels(job.path("metadata")))
        .add("generation", job.path("generation").asString(""))
        .add("created", printer.past(job, "created"))
        .add("updated", printer.past(job, "updated"));
  }

  private static String retry(JsonNode retry) {
    return "up to " + retry.path("max").asString("0") + " times, first after "
        + retry.path("delay").asString("") + ", backoff x"
        + retry.path("backoff").asString("1")
        + ", at most " + retry.path("cap").asString("");
  }
}
