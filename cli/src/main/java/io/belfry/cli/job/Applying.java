package io.belfry.cli.job;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Tone;
import io.belfry.cli.show.Width;
import io.belfry.cli.verb.Complaint;
import io.belfry.cli.verb.Documents;
import io.belfry.cli.verb.Documents.Document;
import io.belfry.cli.verb.Report;
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

/** One run of {@code job apply}: what is sent, and what became of it. Threading: confined to its verb. */
final class Applying {
  private static final int BATCH_MAX = 500;
  private static final int BATCH_BYTES_MAX = 768 << 10;
  private static final int TOLD_MAX = 50;
  private static final int OUTCOME_COLUMNS = 9;
  private static final Cell INDENT = Cell.of(" ".repeat(OUTCOME_COLUMNS + 1));

  private final BelfryClient client;
  private final Report report;
  private final boolean dryRun;
  private final Map<String, Document> known = new LinkedHashMap<>();
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final ArrayNode results = JsonNodeFactory.instance.arrayNode();
  private boolean many;

  Applying(BelfryClient client, Report report, boolean dryRun) {
    this.client = client;
    this.report = report;
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

  /** The ids that stand in the files. */
  Set<String> ids() {
    return known.keySet();
  }

  void broken(Documents.Broken file) {
    count("refused", 1);
    report.note(file.file() + ": " + file.why());
  }

  void all(List<Document> documents) {
    List<Document> good = documents.stream().filter(this::isUsable).toList();
    many = good.size() > TOLD_MAX;
    int done = 0;
    try (var progress =
        report.progress(good.size() > BATCH_MAX, dryRun ? "checking" : "applying", good.size())) {
      for (List<Document> batch : batches(good)) {
        apply(batch);
        done += batch.size();
        progress.advance(batch.size());
      }
    } catch (BelfryException e) {
      if (done > 0) {
        report.note(done + " of " + good.size() + " documents were sent before this:");
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
    Document first = known.putIfAbsent(id, document);
    if (!id.isEmpty() && first != null) {
      refuse(
          document, id, "id", "the same id stands in " + first.place() + ". Take one of them out.");
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
      tell(batch.get(i), result);
    }
  }

  private void tell(Document document, JsonNode result) {
    String outcome = result.path("outcome").asString("refused");
    String id = result.path("id").asString("");
    if (outcome.equals("refused")) {
      JsonNode error = result.path("error");
      refuse(
          document,
          id,
          error.path("field").asString(""),
          error.path("message").asString("no reason was given."));
      return;
    }
    count(outcome, 1);
    if (!report.isDocument() && !(many && outcome.equals("unchanged"))) {
      report.line(
          "  ", new Cell(Width.pad(outcome, OUTCOME_COLUMNS), Tone.of(outcome)), Cell.of(id));
      if (dryRun && outcome.equals("changed")) {
        differences(document, id);
      }
    }
  }

  private void differences(Document document, String id) {
    List<Difference> all =
        Difference.between(client.jobs().get(id), Defaults.fill(document.content()));
    for (Difference each : all) {
      report.line(
          " ",
          INDENT,
          new Cell(each.field() + ":", Tone.FAINT),
          new Cell(each.before().orElse("(none)"), Tone.BAD),
          Cell.of(report.screen().arrow()),
          new Cell(each.after().orElse("(none)"), Tone.GOOD));
    }
    if (all.isEmpty()) {
      report.line(" ", INDENT, new Cell("in a way that only the server sees", Tone.FAINT));
    }
  }

  private void refuse(Document document, String id, String field, String message) {
    count("refused", 1);
    String place = document.place() + (id.isEmpty() ? "" : ", job " + id);
    report.note(Complaint.at(place, field, message));
  }

  /** What became of a job that is in no file. */
  void deleted(JsonNode result) {
    results.add(result);
  }

  void summary() {
    if (report.isDocument()) {
      ObjectNode document = JsonNodeFactory.instance.objectNode();
      document.set("results", results);
      report.document(document);
      return;
    }
    String text = counts.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .map(each -> each.getValue() + " " + each.getKey())
        .reduce((a, b) -> a + ", " + b)
        .orElse("nothing to do");
    report.say(dryRun ? "Dry run, nothing was done: " + text + "." : text + ".");
  }
}
