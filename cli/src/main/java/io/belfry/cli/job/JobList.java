package io.belfry.cli.job;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.TextStyle;
import io.belfry.cli.verb.PageOptions;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import io.belfry.client.JobQuery;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    description = "List jobs with their last and next fire times.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry job list",
      "  belfry job list invoices --label team=billing --sort next",
      "  belfry job list --disabled --all --output json"
    })
final class JobList extends Verb {
  @Parameters(
      arity = "0..1",
      paramLabel = "WORDS",
      description = "Show only jobs whose id, name or description contains these words.")
  private @Nullable String words;

  @Option(names = "--enabled", description = "Show only enabled jobs.")
  private boolean enabled;

  @Option(names = "--disabled", description = "Show only disabled jobs.")
  private boolean disabled;

  @Option(
      names = "--label",
      paramLabel = "KEY[=VALUE]",
      description = "Show only jobs with this label in their metadata.")
  private @Nullable String label;

  @Option(
      names = "--executor",
      paramLabel = "TYPE",
      description = "Show only jobs with this executor type: local, http, script, …")
  private @Nullable String executor;

  @Option(names = "--queue", paramLabel = "QUEUE", description = "Show only jobs of this queue.")
  private @Nullable String queue;

  @Option(
      names = "--sort",
      parameterConsumer = VerbatimValue.class,
      paramLabel = "FIELD",
      description =
          "Sort by id, name, next or updated; a leading minus, such as -next, reverses the order. Default: id.")
  private @Nullable String sort;

  @Mixin
  private PageOptions listing = new PageOptions();

  JobList(VerbContext context) {
    super(context);
  }

  @Override
  protected void check() {
    listing.check(this);
    if (enabled && disabled) {
      throw usage("--enabled and --disabled cannot be combined.");
    }
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    Optional<Boolean> on = enabled || disabled ? Optional.of(enabled) : Optional.empty();
    var query = new JobQuery(
        Optional.ofNullable(words),
        on,
        Optional.ofNullable(label),
        Optional.ofNullable(executor),
        Optional.ofNullable(queue),
        Optional.ofNullable(sort),
        listing.limit(),
        listing.cursor());
    listing.show(
        printer,
        () -> client.jobs().list(query),
        () -> client.jobs().all(query),
        new Table(
            Column.key("ID"),
            Column.text("NAME", 16, 4),
            Column.key("STATE"),
            Column.text("TRIGGER", 24, 3),
            Column.text("EXECUTOR", 20, 6),
            Column.spare("NEXT", 1),
            Column.spare("LAST", 5)),
        (table, job) -> row(printer, table, job),
        "No jobs. Create one with 'belfry job apply -f FILE'.");
    return 0;
  }

  private static void row(Printer printer, Table table, JsonNode job) {
    String id = job.path("id").asString("");
    String name = job.path("name").asString("");
    String state = JobText.state(job);
    table.add(
        new Cell(id, TextStyle.STRONG),
        Cell.of(name.equals(id) ? "" : name),
        Cell.word(state),
        Cell.of(JobText.trigger(job)),
        Cell.of(JobText.executor(job.path("executor"))),
        Cell.of(printer.time(job, "next")),
        Cell.of(printer.past(job, "last")));
  }
}
