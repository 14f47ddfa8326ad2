package io.belfry.cli.task;

import io.belfry.cli.show.Card;
import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Column;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.TimeText;
import io.belfry.cli.verb.Printer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Formats tasks for people. Threading: stateless. */
final class TaskText {
  private static final Set<String> FINAL = Set.of("succeeded", "failed", "cancelled", "skipped");

  private TaskText() {}

  static boolean isEnded(JsonNode task) {
    return FINAL.contains(task.path("state").asString(""));
  }

  static boolean isSucceeded(JsonNode task) {
    return task.path("state").asString("").equals("succeeded");
  }

  /** How long it ran, or has been running. */
  static String duration(Printer printer, JsonNode node) {
    String started = node.path("started").asString("");
    String ended = node.path("ended").asString("");
    if (started.isEmpty()) {
      return "";
    }
    try {
      Instant end = ended.isEmpty() ? printer.times().now() : Instant.parse(ended);
      return TimeText.duration(Duration.between(Instant.parse(started), end));
    } catch (DateTimeException e) {
      return "";
    }
  }

  /** Why the task ended as it did; empty if nothing is known beyond its state. */
  static String remark(JsonNode task) {
    String error = task.path("error").asString("");
    if (!error.isEmpty()) {
      return error;
    }
    String skipped = task.path("skipped").asString("");
    return skipped.isEmpty() ? task.path("result").path("message").asString("") : skipped;
  }

  static void show(Printer printer, JsonNode task) {
    printer.card(card(printer, task));
    var attempts = new Table(
        Column.number("ATTEMPT", 0),
        Column.text("WORKER", 10, 2),
        Column.key("OUTCOME"),
        Column.spare("STARTED", 3),
        Column.number("DURATION", 4),
        Column.text("MESSAGE", 12, 1));
    task.path("history").values().forEach(each -> {
      String outcome = each.path("outcome").asString("");
      String failure = each.path("failure").asString("");
      attempts.add(
          Cell.of(each.path("number").asString("")),
          Cell.of(each.path("worker").asString("")),
          Cell.word(outcome.isEmpty() ? "running" : failure.isEmpty() ? outcome : failure),
          Cell.of(printer.past(each, "started")),
          Cell.of(duration(printer, each)),
          Cell.of(each.path("result").path("message").asString("")));
    });
    if (!attempts.isEmpty()) {
      printer.blankLine();
      printer.table(attempts, "");
    }
    rejected(printer, task.path("rejected"));
  }

  /** Prints the reports that arrived after the attempt was reassigned; they changed nothing. */
  private static void rejected(Printer printer, JsonNode rejected) {
    var reports = new Table(
        Column.number("REJECTED", 0),
        Column.text("WORKER", 10, 2),
        Column.key("OUTCOME"),
        Column.spare("REPORTED", 3),
        Column.text("MESSAGE", 12, 1));
    rejected
        .values()
        .forEach(each -> reports.add(
            Cell.of(each.path("number").asString("")),
            Cell.of(each.path("worker").asString("")),
            Cell.word(each.path("said").asString("")),
            Cell.of(printer.past(each, "at")),
            Cell.of(each.path("message").asString(""))));
    if (!reports.isEmpty()) {
      printer.blankLine();
      printer.table(reports, "");
    }
  }

  private static Card card(Printer printer, JsonNode task) {
    JsonNode progress = task.path("progress");
    JsonNode result = task.path("result");
    return new Card()
        .add("id", task.path("id").asString(""))
        .add("name", task.path("name").asString(""))
        .add("job", task.path("job").asString(""))
        .add("state", Cell.word(task.path("state").asString("")))
        .add("waiting", task.path("waits").asString(""))
        .add("error", task.path("error").asString(""))
        .add("skipped", task.path("skipped").asString(""))
        .add("cancel", task.path("cancel").path("reason").asString(""))
        .add("progress", progress.isMissingNode() ? "" : progress(progress))
        .add("priority", task.path("priority").asString(""))
        .add("queue", task.path("queue").asString(""))
        .add("executor", task.path("executor").path("type").asString(""))
        .add("payload", task.has("payload") ? task.path("payload").toString() : "")
        .add("submitter", task.path("submittedBy").asString(""))
        .add("scheduled", printer.time(task, "scheduled"))
        .add("due", printer.time(task, "due"))
        .add("started", printer.past(task, "started"))
        .add("ended", printer.past(task, "ended"))
        .add("duration", duration(printer, task))
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
