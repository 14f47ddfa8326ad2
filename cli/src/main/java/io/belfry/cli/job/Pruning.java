package io.belfry.cli.job;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Tone;
import io.belfry.cli.verb.Report;
import io.belfry.client.BelfryClient;
import io.belfry.client.JobQuery;
import io.belfry.client.Jobs.BulkAction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Deletes what has the label and is in no file. Threading: confined to its verb. */
final class Pruning {
  private static final int BATCH_MAX = 500;
  private static final int PAGE = 1000;

  private final BelfryClient client;
  private final Report report;
  private final InputStream in;
  private final boolean dryRun;
  private final boolean yes;

  Pruning(BelfryClient client, Report report, InputStream in, boolean dryRun, boolean yes) {
    this.client = client;
    this.report = report;
    this.in = in;
    this.dryRun = dryRun;
    this.yes = yes;
  }

  /** A document that was refused may be one of those that would be deleted: then nothing is. */
  void run(String label, Applying applied) throws IOException {
    if (applied.refused() > 0) {
      report.note("Nothing is pruned, because something was refused.");
      return;
    }
    List<String> gone = client
        .jobs()
        .all(JobQuery.all().label(label).limit(PAGE))
        .map(job -> job.path("id").asString(""))
        .filter(id -> !applied.ids().contains(id))
        .toList();
    if (gone.isEmpty()) {
      return;
    }
    if (!report.isDocument()) {
      var outcome = new Cell(dryRun ? "deleted  " : "delete   ", Tone.BAD);
      gone.forEach(id -> report.line("  ", outcome, Cell.of(id)));
    }
    if (dryRun) {
      applied.count("deleted", gone.size());
    } else if (yes || isConfirmed(gone.size(), label)) {
      delete(gone, applied);
    } else {
      report.note("Nothing is pruned.");
    }
  }

  private boolean isConfirmed(int count, String label) throws IOException {
    report.ask("Delete " + count + (count == 1 ? " job" : " jobs") + " with " + label
        + " that are in no file? [y/N]");
    @Nullable
    String answer =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
    return answer != null && answer.strip().matches("(?i)y|yes");
  }

  private void delete(List<String> ids, Applying applied) {
    for (int from = 0; from < ids.size(); from += BATCH_MAX) {
      List<String> batch = ids.subList(from, Math.min(ids.size(), from + BATCH_MAX));
      for (JsonNode result :
          client.jobs().change(BulkAction.DELETE, batch).path("results").values()) {
        applied.deleted(result);
        boolean done = result.path("outcome").asString("").equals("done");
        applied.count(done ? "deleted" : "refused", 1);
        if (!done) {
          report.note("job " + result.path("id").asString("") + ": "
              + result.path("error").path("message").asString(""));
        }
      }
    }
  }
}
