package io.belfry.core.leader;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.PayloadBudget;
import io.belfry.core.leader.task.TaskIndex;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.record.Fullness;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.store.Entry;
import java.util.function.BooleanSupplier;

/**
 * Publishes to submitting nodes when too many tasks wait, and when there is room again: one small record that is written only when that changes,
 * and changes back only once a tenth of them is gone.
 *
 * <p>It is about right, not exact: what was submitted before the record reached all nodes is accepted. Fires of jobs are counted as well, and are
 * taken in up to a tenth beyond; further ones are skipped, with a record. Tasks whose labels take too much memory count as too many.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class Backpressure {
  private final TermCommitter committer;
  private final TaskIndex tasks;
  private final PayloadBudget payloads;
  private final int most;
  private final BooleanSupplier historyFull;
  private boolean full;
  private boolean writeInFlight;
  private long known;

  /**
   * An intake that takes in tasks.
   *
   * @param historyFull whether too many finished tasks wait to be folded
   */
  Backpressure(TermContext term, TaskTable table, BooleanSupplier historyFull) {
    this.committer = term.committer();
    this.tasks = table.tasks;
    this.payloads = table.payloads;
    this.most = term.settings().backpressure().waitingMax();
    this.historyFull = historyFull;
  }

  /** The stored record, from this leader or an earlier one. */
  void onRecord(Entry entry) {
    if (entry.revision() > known) {
      known = entry.revision();
      SafeDecoder.read(entry, each -> Records.fullness(each.value()))
          .ifPresent(stored -> full = stored.full());
    }
  }

  /** Part of every turn, once all tasks are known. */
  void check() {
    int enough = most - most / 10;
    boolean behind = historyFull.getAsBoolean();
    if (writeInFlight || (!full && !behind && tasks.size() < most && !payloads.isFull())) {
      return;
    }
    int waiting = tasks.size() - tasks.held();
    boolean now = behind
        || (full
            ? waiting >= enough || payloads.isNearlyFull()
            : waiting >= most || payloads.isFull());
    int limit = behind ? Fullness.HISTORY : most;
    if (now != full) {
      writeInFlight = true;
      committer.send(
          committer.commit().put(Keys.FULLNESS, Records.encode(new Fullness(now, waiting, limit))),
          revision -> {
            writeInFlight = false;
            known = Math.max(known, revision);
            full = now;
          },
          guard -> writeInFlight = false);
    }
  }
}
