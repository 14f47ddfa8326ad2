package io.belfry.cli.job;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.TextStyle;
import io.belfry.cli.verb.Printer;
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

/** Deletes the jobs that have the label and are not in the files. Threading: confined to its verb. */
final class PruneRun {
  private static final int BATCH_MAX = 500;
  private static final int PAGE = 1000;

  private final BelfryClient client;
  private final Printer printer;
  private final InputStream in;
  private final boolean dryRun;
  private final boolean yes;

  PruneRun(BelfryClient client, Printer printer, InputStream in, boolean dryRun, boolean yes) {
    this.client = client;
    this.printer = printer;
    this.in = in;
    this.dryRun = dryRun;
    this.yes = yes;
  }

  /** Deletes nothing if a document was refused: it may be one of the jobs that would be deleted. */
  void run(String label, ApplyRun applied) throws IOException {
    if (applied.refused() > 0) {
      printer.note("Nothing was pruned, because a document was refused.");
      return;
    }
    List<String> stale = client
        .jobs()
        .all(JobQuery.all().label(label).limit(PAGE))
        .map(job -> job.path("id").asString(""))
        .filter(id -> !applied.ids().contains(id))
        .toList();
    if (stale.isEmpty()) {
      return;
    }
    if (!printer.isDocument()) {
      var outcome = new Cell(dryRun ? "deleted  " : "delete   ", TextStyle.BAD);
      stale.forEach(id -> printer.line("  ", outcome, Cell.of(id)));
    }
    if (dryRun) {
      applied.count("deleted", stale.size());
    } else if (yes || isConfirmed(stale.size(), label)) {
      delete(stale, applied);
    } else {
      printer.note("Nothing was pruned.");
    }
  }

  private boolean isConfirmed(int count, String label) throws IOException {
    printer.ask("Delete " + count + (count == 1 ? " job" : " jobs") + " with " + label + " that "
        + (count == 1 ? "is" : "are") + " not in the files? [y/N]");
    @Nullable
    String answer =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
    return answer != null && answer.strip().matches("(?i)y|yes");
  }

  private void delete(List<String> ids, ApplyRun applied) {
    for (int from = 0; from < ids.size(); from += BATCH_MAX) {
      List<String> batch = ids.subList(from, Math.min(ids.size(), from + BATCH_MAX));
      for (JsonNode result :
          client.jobs().change(BulkAction.DELETE, batch).path("results").values()) {
        applied.deleted(result);
        boolean done = result.path("outcome").asString("").equals("done");
        applied.count(done ? "deleted" : "refused", 1);
        if (!done) {
          printer.note("job " + result.path("id").asString("") + ": "
              + result.path("error").path("message").asString(""));
        }
      }
    }
  }
}
