package io.belfry.core.worker;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.LateReport;
import io.belfry.core.record.LateReport.Said;
import io.belfry.core.record.Records;
import io.belfry.core.record.Reports;
import io.belfry.core.record.Told;
import io.belfry.model.task.Command;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Late reports of a worker, until they are stored and the leader is notified. If there are too many, the first are kept.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class LateReports {
  private static final int BATCH_MAX = 100;
  private static final int WAITING_MAX = 1000;

  /** Some of them: a commit without guards, because it decides nothing, and the message to the leader. */
  record Batch(Commit kept, byte[] word) {}

  private final String worker;
  private final List<LateReport> waiting = new ArrayList<>();

  LateReports(String worker) {
    this.worker = worker;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void add(HeldAttempt holding, Instant now) {
    if (waiting.size() < WAITING_MAX && !holding.reports.isEmpty()) {
      waiting.add(report(holding, holding.reports.getLast(), now));
    }
  }

  private LateReport report(HeldAttempt holding, Command last, Instant now) {
    Said said;
    String message;
    switch (last) {
      case Command.Complete complete -> {
        said = Said.SUCCEEDED;
        message = complete.result().message();
      }
      case Command.Fail fail -> {
        said = Said.FAILED;
        message = fail.failure().result().message();
      }
      case Command.HandBack back -> {
        said = Said.HANDED_BACK;
        message = back.why();
      }
      default -> {
        said = Said.STARTED;
        message = "";
      }
    }
    return new LateReport(
        holding.task.id(),
        holding.task.attempts(),
        holding.token.value(),
        worker,
        now,
        said,
        message);
  }

  Batch take() {
    List<LateReport> some = waiting.subList(0, Math.min(BATCH_MAX, waiting.size()));
    Map<Key, LateReport> places = new LinkedHashMap<>(); // a commit writes each key once
    some.forEach(late -> places.put(Keys.lateReport(late.task(), late.place()), late));
    Commit.Builder kept = Commit.when();
    places.forEach((key, late) -> kept.put(key, Records.encode(late)));
    List<Told.Rejected> rejected =
        some.stream().map(late -> new Told.Rejected(late.task(), late.token())).toList();
    some.clear();
    return new Batch(kept.build(), Records.encode(new Reports("", List.of(), rejected)));
  }
}
