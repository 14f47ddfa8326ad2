package io.belfry.cli.task;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.verb.Complaint;
import io.belfry.cli.verb.Documents;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
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
    description = "Submits a task, or those of a file; it is durable when this returns.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry task submit --job nightly-invoices --payload '{\"region\":\"us\"}'",
      "  belfry task submit --handler send-invoice --payload '{\"customer\":7}' --in 5m",
      "  belfry task submit --http https://billing.local/run --payload @order.json --wait",
      "  belfry task submit -f tasks.yaml",
      "",
      "--http, --executor and handlers that the server does not list need the role developer.",
      "With --wait the exit code is 0 if the task succeeded and 1 if it did not."
    })
final class TaskSubmit extends Verb {
  private static final int BATCH_MAX = 1000;
  private static final int KEY_BYTES = 16;

  @Mixin
  private Draft draft = new Draft();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Tasks in YAML or JSON; - is standard input.")
  private @Nullable String file;

  @Option(names = "--wait", description = "Waits until the task has ended, and shows how.")
  private boolean wait;

  @Option(
      names = "--wait-limit",
      paramLabel = "DURATION",
      description = "Waits no longer than that; the task goes on. Default: as long as it takes.")
  private @Nullable String limit;

  TaskSubmit(Surroundings around) {
    super(around);
  }

  @Override
  protected void check() {
    if (draft.isEmpty() == (file == null)) {
      throw usage(
          file == null
              ? "Say what is to be done: --job, --handler, --http, --executor or --file."
              : "--file describes its tasks by itself: leave the other options out.");
    }
    if (limit != null && !wait) {
      throw usage("--wait-limit has a meaning with --wait only.");
    }
  }

  @Override
  protected int run(BelfryClient client, Report report) throws IOException, InterruptedException {
    if (file == null) {
      return one(client, report, draft.task(this));
    }
    Documents.Found found = Documents.read(List.of(file), around().in());
    if (!found.broken().isEmpty()) {
      Documents.Broken broken = found.broken().getFirst();
      throw new Complaint(broken.file() + ": " + broken.why());
    }
    List<JsonNode> tasks =
        found.documents().stream().map(Documents.Document::content).toList();
    if (tasks.isEmpty() || tasks.size() > BATCH_MAX) {
      throw new Complaint(
          file + " must hold 1 to " + BATCH_MAX + " tasks, but holds " + tasks.size() + ".");
    }
    if (tasks.size() == 1) {
      return one(client, report, tasks.getFirst());
    }
    if (wait) {
      throw usage("--wait is for one task, but " + file + " holds " + tasks.size() + ".");
    }
    return many(client, report, tasks);
  }

  /** With a key of our own, so that a broken connection does not leave the question open whether it was taken in. */
  private JsonNode keyed(JsonNode task) {
    if (!(task instanceof ObjectNode fields) || fields.has("id") || fields.has("key")) {
      return task;
    }
    var bytes = new byte[KEY_BYTES];
    around().random().nextBytes(bytes);
    return fields.deepCopy().put("key", "cli-" + HexFormat.of().formatHex(bytes));
  }

  private int one(BelfryClient client, Report report, JsonNode task) throws InterruptedException {
    TaskRef ref = client.tasks().submit(keyed(task));
    if (wait) {
      Optional<Duration> most =
          Optional.ofNullable(limit).map(text -> TimeOption.duration(this, "--wait-limit", text));
      return new Awaiting(client, report, around()).end(ref.id(), most);
    }
    if (report.isDocument()) {
      report.document(ref.document());
    } else {
      report.say(
          "Task " + ref.id() + (ref.repeated() ? " was submitted before." : " is submitted."));
    }
    return 0;
  }

  private int many(BelfryClient client, Report report, List<JsonNode> tasks) {
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
          Cell.of(Complaint.about(field, error.path("message").asString(""))));
    }
    if (report.isDocument()) {
      report.document(answer);
    } else {
      report.table(table, "");
    }
    if (refused > 0) {
      report.note(refused + " of " + tasks.size() + " tasks were refused.");
    }
    return refused == 0 ? 0 : 1;
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
