package io.belfry.cli.task;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.CliException;
import io.belfry.cli.verb.Documents;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import io.belfry.client.TaskRef;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "submit",
    description =
        "Submit one task, or the tasks in a file. The tasks are durable when the command returns.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry task submit --job nightly-invoices --payload '{\"region\":\"us\"}'",
      "  belfry task submit --handler send-invoice --payload '{\"customer\":7}' --in 5m",
      "  belfry task submit --http https://host/run --payload @order.json --wait",
      "  belfry task submit -f tasks.yaml",
      "",
      "--http, --executor and handlers outside of the server's list require the role",
      "developer.",
      "With --wait, the exit code is 0 if the task succeeded, otherwise 1."
    })
final class TaskSubmit extends Verb {
  private static final int BATCH_MAX = 1000;
  private static final int KEY_BYTES = 16;

  @Mixin
  private TaskOptions options = new TaskOptions();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "YAML or JSON file with up to 1000 tasks, or - for standard input.")
  private @Nullable String file;

  @Option(names = "--wait", description = "Wait until the task has ended, then show it.")
  private boolean wait;

  @Option(
      names = "--wait-limit",
      paramLabel = "DURATION",
      description =
          "Maximum time to wait with --wait, such as 10m. The task continues afterwards. Default: no limit.")
  private @Nullable String limit;

  TaskSubmit(VerbContext context) {
    super(context);
  }

  @Override
  protected void check() {
    if (options.isEmpty() == (file == null)) {
      throw usage(
          file == null
              ? "Give one of --job, --handler, --http, --executor or --file."
              : "--file cannot be combined with options that describe a task.");
    }
    if (limit != null && !wait) {
      throw usage("--wait-limit requires --wait.");
    }
  }

  @Override
  protected int run(BelfryClient client, Printer printer) throws IOException, InterruptedException {
    if (file == null) {
      return one(client, printer, options.task(this));
    }
    Documents.Found found = Documents.read(List.of(file), context().in());
    if (!found.broken().isEmpty()) {
      Documents.Broken broken = found.broken().getFirst();
      throw new CliException(broken.file() + ": " + broken.why());
    }
    List<JsonNode> tasks =
        found.documents().stream().map(Documents.Document::content).toList();
    if (tasks.isEmpty() || tasks.size() > BATCH_MAX) {
      throw new CliException(
          file + " must contain 1 to " + BATCH_MAX + " tasks, but contains " + tasks.size() + ".");
    }
    if (tasks.size() == 1) {
      return one(client, printer, tasks.getFirst());
    }
    if (wait) {
      throw usage("--wait works for one task, but " + file + " contains " + tasks.size() + ".");
    }
    return many(client, printer, tasks);
  }

  /** The task with a generated idempotency key, so that it can be sent again after a lost connection. */
  private JsonNode keyed(JsonNode task) {
    if (!(task instanceof ObjectNode fields) || fields.has("id") || fields.has("key")) {
      return task;
    }
    var bytes = new byte[KEY_BYTES];
    context().random().nextBytes(bytes);
    return fields.deepCopy().put("key", "cli-" + HexFormat.of().formatHex(bytes));
  }

  private int one(BelfryClient client, Printer printer, JsonNode task) throws InterruptedException {
    TaskRef ref = client.tasks().submit(keyed(task));
    if (wait) {
      Optional<Duration> waitMax =
          Optional.ofNullable(limit).map(text -> TimeOption.duration(this, "--wait-limit", text));
      return new TaskWait(client, printer, context()).untilEnded(ref.id(), waitMax);
    }
    if (printer.isDocument()) {
      printer.document(ref.document());
    } else {
      printer.say(
          "Task " + ref.id() + (ref.repeated() ? " was already submitted." : " is submitted."));
    }
    return 0;
  }

  private int many(BelfryClient client, Printer printer, List<JsonNode> tasks) {
    JsonNode answer = client.tasks().submitAll(tasks.stream().map(this::keyed).toList());
    var table = new Table(
        Column.number("TASK", 0),
        Column.key("OUTCOME"),
        Column.key("ID"),
        Column.text("REMARK", 12, 1));
    int number = 0;
    int refused = 0;
    for (JsonNode result : answer.path("results").values()) {
      String outcome = result.path("outcome").asString("");
      refused += outcome.equals("refused") ? 1 : 0;
      JsonNode error = result.path("error");
      String field = error.path("field").asString("");
      table.add(
          Cell.of(Integer.toString(++number)),
          Cell.word(outcome),
          Cell.of(result.path("id").asString("")),
          Cell.of(CliException.about(field, error.path("message").asString(""))));
    }
    if (printer.isDocument()) {
      printer.document(answer);
    } else {
      printer.table(table, "");
    }
    if (refused > 0) {
      printer.note(refused + " of " + tasks.size() + " tasks were refused.");
    }
    return refused == 0 ? 0 : 1;
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
