package io.belfry.cli.job;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.TextStyle;
import io.belfry.cli.show.Width;
import io.belfry.cli.verb.CliException;
import io.belfry.cli.verb.Documents;
import io.belfry.cli.verb.Documents.Document;
import io.belfry.cli.verb.Printer;
import io.belfry.client.BelfryClient;
import io.belfry.client.BelfryException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One run of {@code job apply}: sends the documents in batches and counts the outcomes. Threading: confined to its verb. */
final class ApplyRun {
  private static final int BATCH_MAX = 500;
  private static final int BATCH_BYTES_MAX = 768 << 10;
  private static final int DETAILS_MAX = 50;
  private static final int OUTCOME_COLUMNS = 9;
  private static final Cell INDENT = Cell.of(" ".repeat(OUTCOME_COLUMNS + 1));

  private final BelfryClient client;
  private final Printer printer;
  private final boolean dryRun;
  private final Map<String, Document> byId = new LinkedHashMap<>();
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final ArrayNode results = JsonNodeFactory.instance.arrayNode();
  private boolean brief;

  ApplyRun(BelfryClient client, Printer printer, boolean dryRun) {
    this.client = client;
    this.printer = printer;
    this.dryRun = dryRun;
    List.of("created", "changed", "unchanged", "deleted", "refused")
        .forEach(word -> counts.put(word, 0));
  }

  int refused() {
    return count("refused");
  }

  private int count(String outcome) {
    return counts.getOrDefault(outcome, 0);
  }

  void count(String outcome, int more) {
    counts.merge(outcome, more, Integer::sum);
  }

  /** The job ids in the files. */
  Set<String> ids() {
    return byId.keySet();
  }

  void broken(Documents.Broken file) {
    count("refused", 1);
    printer.note(file.file() + ": " + file.why());
  }

  void all(List<Document> documents) {
    List<Document> good = documents.stream().filter(this::isUsable).toList();
    brief = good.size() > DETAILS_MAX;
    int done = 0;
    try (var progress =
        printer.progress(good.size() > BATCH_MAX, dryRun ? "checking" : "applying", good.size())) {
      for (List<Document> batch : batches(good)) {
        apply(batch);
        done += batch.size();
        progress.advance(batch.size());
      }
    } catch (BelfryException e) {
      if (done > 0) {
        printer.note(done + " of " + good.size() + " documents were sent before this error:");
      }
      throw e;
    }
  }

  private boolean isUsable(Document document) {
    if (!document.content().isObject()) {
      refuse(
          document,
          "",
          "",
          "a job must be a map of fields, but this is "
              + document.content().getNodeType().toString().toLowerCase(Locale.ROOT) + ".");
      return false;
    }
    String id = document.content().path("id").asString("");
    Document first = byId.putIfAbsent(id, document);
    if (!id.isEmpty() && first != null) {
      refuse(
          document,
          id,
          "id",
          "the same id is used in " + first.place() + ". Remove one of the two.");
      return false;
    }
    return true;
  }

  private static List<List<Document>> batches(List<Document> documents) {
    var batches = new ArrayList<List<Document>>();
    List<Document> batch = new ArrayList<>();
    int bytes = 0;
    for (Document document : documents) {
      int length = document.content().toString().getBytes(StandardCharsets.UTF_8).length;
      if (!batch.isEmpty() && (batch.size() == BATCH_MAX || bytes + length > BATCH_BYTES_MAX)) {
        batches.add(batch);
        batch = new ArrayList<>();
        bytes = 0;
      }
      batch.add(document);
      bytes += length;
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }

  private void apply(List<Document> batch) {
    JsonNode answer = client.jobs().apply(batch.stream().map(Document::content).toList(), dryRun);
    JsonNode outcomes = answer.path("results");
    for (int i = 0; i < batch.size(); i++) {
      JsonNode result = outcomes.path(i);
      results.add(result);
      print(batch.get(i), result);
    }
  }

  private void print(Document document, JsonNode result) {
    String outcome = result.path("outcome").asString("refused");
    String id = result.path("id").asString("");
    if (outcome.equals("refused")) {
      JsonNode error = result.path("error");
      refuse(
          document,
          id,
          error.path("field").asString(""),
          error.path("message").asString("The server gave no reason."));
      return;
    }
    count(outcome, 1);
    if (!printer.isDocument() && !(brief && outcome.equals("unchanged"))) {
      printer.line(
          "  ", new Cell(Width.pad(outcome, OUTCOME_COLUMNS), TextStyle.of(outcome)), Cell.of(id));
      if (dryRun && outcome.equals("changed")) {
        differences(document, id);
      }
    }
  }

  private void differences(Document document, String id) {
    List<Difference> all =
        Difference.between(client.jobs().get(id), Defaults.fill(document.content()));
    for (Difference each : all) {
      printer.line(
          " ",
          INDENT,
          new Cell(each.field() + ":", TextStyle.FAINT),
          new Cell(each.before().orElse("(none)"), TextStyle.BAD),
          Cell.of(printer.screen().arrow()),
          new Cell(each.after().orElse("(none)"), TextStyle.GOOD));
    }
    if (all.isEmpty()) {
      printer.line(
          " ", INDENT, new Cell("in a field that only the server computes", TextStyle.FAINT));
    }
  }

  private void refuse(Document document, String id, String field, String message) {
    count("refused", 1);
    String place = document.place() + (id.isEmpty() ? "" : ", job " + id);
    printer.note(CliException.at(place, field, message));
  }

  /** Adds the result of a pruned job. */
  void deleted(JsonNode result) {
    results.add(result);
  }

  void summary() {
    if (printer.isDocument()) {
      ObjectNode document = JsonNodeFactory.instance.objectNode();
      document.set("results", results);
      printer.document(document);
      return;
    }
    String text = counts.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .map(each -> each.getValue() + " " + each.getKey())
        .reduce((a, b) -> a + ", " + b)
        .orElse("nothing to do");
    printer.say(dryRun ? "Dry run, nothing was saved: " + text + "." : text + ".");
  }
}
