package io.belfry.cli.task;

import io.belfry.cli.show.Card;
import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.When;
import io.belfry.cli.verb.Report;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Tasks in words. Threading: stateless. */
final class TaskText {
  private static final Set<String> FINAL = Set.of("succeeded", "failed", "cancelled", "skipped");

  private TaskText() {}

  static boolean isOver(JsonNode task) {
    return FINAL.contains(task.path("state").asString(""));
  }

  static boolean isGood(JsonNode task) {
    return task.path("state").asString("").equals("succeeded");
  }

  /** How long it has run, or runs. */
  static String took(Report report, JsonNode node) {
    String started = node.path("started").asString("");
    String ended = node.path("ended").asString("");
    if (started.isEmpty()) {
      return "";
    }
    try {
      Instant end = ended.isEmpty() ? report.when().now() : Instant.parse(ended);
      return When.took(Duration.between(Instant.parse(started), end));
    } catch (DateTimeException e) {
      return "";
    }
  }

  /** Why it ended as it did, if there is more to say than how. */
  static String remark(JsonNode task) {
    String error = task.path("error").asString("");
    if (!error.isEmpty()) {
      return error;
    }
    String skipped = task.path("skipped").asString("");
    return skipped.isEmpty() ? task.path("result").path("message").asString("") : skipped;
  }

  static void show(Report report, JsonNode task) {
    report.card(card(report, task));
    var attempts = new Table(
        Column.number("ATTEMPT", 0),
        Column.text("WORKER", 10, 2),
        Column.key("OUTCOME"),
        Column.spare("STARTED", 3),
        Column.number("TOOK", 4),
        Column.text("MESSAGE", 12, 1));
    task.path("history").values().forEach(each -> {
      String outcome = each.path("outcome").asString("");
      String failure = each.path("failure").asString("");
      attempts.add(
          Cell.of(each.path("number").asString("")),
          Cell.of(each.path("worker").asString("")),
          Cell.word(outcome.isEmpty() ? "running" : failure.isEmpty() ? outcome : failure),
          Cell.of(report.past(each, "started")),
          Cell.of(took(report, each)),
          Cell.of(each.path("result").path("message").asString("")));
    });
    if (!attempts.isEmpty()) {
      report.blankLine();
      report.table(attempts, "");
    }
    late(report, task.path("rejected"));
  }

  /** What was reported when the attempt had been taken away, and changed nothing. */
  private static void late(Report report, JsonNode rejected) {
    var reports = new Table(
        Column.number("TOO LATE", 0),
        Column.text("WORKER", 10, 2),
        Column.key("SAID"),
        Column.spare("WHEN", 3),
        Column.text("MESSAGE", 12, 1));
    rejected
        .values()
        .forEach(each -> reports.add(
            Cell.of(each.path("number").asString("")),
            Cell.of(each.path("worker").asString("")),
            Cell.word(each.path("said").asString("")),
            Cell.of(report.past(each, "at")),
            Cell.of(each.path("message").asString(""))));
    if (!reports.isEmpty()) {
      report.blankLine();
      report.table(reports, "");
    }
  }

  private static Card card(Report report, JsonNode task) {
    JsonNode progress = task.path("progress");
    JsonNode result = task.path("result");
    return new Card()
        .add("id", task.path("id").asString(""))
        .add("name", task.path("name").asString(""))
        .add("job", task.path("job").asString(""))
        .add("state", Cell.word(task.path("state").asString("")))
        .add("waits", task.path("waits").asString(""))
        .add("error", task.path("error").asString(""))
        .add("skipped", task.path("skipped").asString(""))
        .add("cancel", task.path("cancel").path("reason").asString(""))
        .add("progress", progress.isMissingNode() ? "" : progress(progress))
        .add("priority", task.path("priority").asString(""))
        .add("queue", task.path("queue").asString(""))
        .add("executor", task.path("executor").path("type").asString(""))
        .add("payload", task.has("payload") ? task.path("payload").toString() : "")
        .add("submitter", task.path("submittedBy").asString(""))
        .add("scheduled", report.time(task, "scheduled"))
        .add("due", report.time(task, "due"))
        .add("started", report.past(task, "started"))
        .add("ended", report.past(task, "ended"))
        .add("took", took(report, task))
        .add("worker", task.path("worker").asString(""))
        .add("result", result.isMissingNode() ? "" : result(result));
  }

  private static String progress(JsonNode progress) {
    long percent = Math.round(progress.path("fraction").asDouble(0) * 100);
    return (percent + " % " + progress.path("message").asString("")).strip();
  }

  private static String result(JsonNode result) {
    String data = result.has("data") ? " " + result.path("data") : "";
    return ("code " + result.path("code").asString("") + " "
                + result.path("message").asString(""))
            .strip()
        + data;
  }
}
