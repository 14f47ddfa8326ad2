package io.belfry.cli.task;

import static java.util.stream.Collectors.joining;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.PageOptions;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import io.belfry.client.TaskQuery;
import io.belfry.model.InvalidException;
import io.belfry.model.task.StateName;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    description =
        "List tasks: unfinished tasks first, then finished tasks, the most recently finished first.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry task list --state failed --since -1d",
      "  belfry task list --job nightly-invoices --limit 10",
      "  belfry task list --state running --output json"
    })
final class TaskList extends Verb {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Show only tasks in this state: pending, retrying, assigned, running, succeeded, failed, cancelled or skipped. State names of other schedulers are accepted: created, queued, scheduled, success, completed, canceled.")
  private @Nullable String state;

  @Option(names = "--job", paramLabel = "ID", description = "Show only tasks of this job.")
  private @Nullable String job;

  @Option(names = "--queue", paramLabel = "QUEUE", description = "Show only tasks of this queue.")
  private @Nullable String queue;

  @Option(names = "--worker", paramLabel = "ID", description = "Show only tasks of this worker.")
  private @Nullable String worker;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Show only tasks at or after this time, such as 2027-01-01T00:00:00Z or -2h.")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Show only tasks before this time.")
  private @Nullable String until;

  @Mixin
  private PageOptions listing = new PageOptions();

  TaskList(VerbContext context) {
    super(context);
  }

  @Override
  protected void check() {
    listing.check(this);
    var unused = state();
  }

  private Optional<String> state() {
    try {
      return Optional.ofNullable(state).map(StateName::parse).map(ApiName::of);
    } catch (InvalidException e) {
      String words = Arrays.stream(StateName.values()).map(ApiName::of).collect(joining(", "));
      throw usage("--state must be one of " + words + ", but was '" + state + "'.");
    }
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    var query = new TaskQuery(
        state(),
        Optional.ofNullable(job),
        Optional.ofNullable(queue),
        Optional.ofNullable(worker),
        TimeOption.instant(this, "--since", since),
        TimeOption.instant(this, "--until", until),
        listing.limit(),
        listing.cursor());
    listing.show(
        printer,
        () -> client.tasks().list(query),
        () -> client.tasks().all(query),
        new Table(
            Column.key("ID"),
            Column.text("NAME", 8, 6),
            Column.key("STATE"),
            Column.spare("SCHEDULED", 2),
            Column.number("DURATION", 3),
            Column.number("ATTEMPTS", 5),
            Column.text("WORKER", 10, 4),
            Column.text("REMARK", 12, 1)),
        (table, task) -> row(printer, table, task),
        "No tasks.");
    return 0;
  }

  private static void row(Printer printer, Table table, JsonNode task) {
    table.add(
        Cell.of(task.path("id").asString("")),
        Cell.of(task.has("job") ? "" : task.path("name").asString("")),
        Cell.word(task.path("state").asString("")),
        Cell.of(printer.time(task, "scheduled")),
        Cell.of(TaskText.duration(printer, task)),
        Cell.of(task.path("attempts").asString("")),
        Cell.of(task.path("worker").asString("")),
        Cell.of(TaskText.remark(task)));
  }
}
