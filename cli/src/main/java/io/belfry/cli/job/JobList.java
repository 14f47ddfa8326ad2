package io.belfry.cli.job;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.Tone;
import io.belfry.cli.verb.Listing;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
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
    description = "Lists jobs, with their next and last times.",
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
      description = "Only jobs whose id, name or description contain these words.")
  private @Nullable String words;

  @Option(names = "--enabled", description = "Only those that may fire.")
  private boolean enabled;

  @Option(names = "--disabled", description = "Only those that may not.")
  private boolean disabled;

  @Option(
      names = "--label",
      paramLabel = "KEY[=VALUE]",
      description = "Only with this in their metadata.")
  private @Nullable String label;

  @Option(
      names = "--executor",
      paramLabel = "TYPE",
      description = "Only of this executor: local, http, script, …")
  private @Nullable String executor;

  @Option(names = "--queue", paramLabel = "QUEUE", description = "Only of this queue.")
  private @Nullable String queue;

  @Option(
      names = "--sort",
      parameterConsumer = AsIs.class,
      paramLabel = "FIELD",
      description = "id (default), name, next or updated; -next and so on the other way round.")
  private @Nullable String sort;

  @Mixin
  private Listing listing = new Listing();

  JobList(Surroundings around) {
    super(around);
  }

  @Override
  protected void check() {
    listing.check(this);
    if (enabled && disabled) {
      throw usage("--enabled and --disabled exclude each other.");
    }
  }

  @Override
  protected int run(BelfryClient client, Report report) {
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
        report,
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
        (table, job) -> row(report, table, job),
        "No jobs. Make one with 'belfry job apply -f FILE'.");
    return 0;
  }

  private static void row(Report report, Table table, JsonNode job) {
    String id = job.path("id").asString("");
    String name = job.path("name").asString("");
    String state = JobText.state(job);
    table.add(
        new Cell(id, Tone.STRONG),
        Cell.of(name.equals(id) ? "" : name),
        Cell.word(state),
        Cell.of(JobText.trigger(job)),
        Cell.of(JobText.executor(job.path("executor"))),
        Cell.of(report.time(job, "next")),
        Cell.of(report.past(job, "last")));
  }
}
