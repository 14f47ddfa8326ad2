package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.SegmentHead;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads finished tasks backwards, for a leader that must know the starts under rate limits before its term.
 *
 * <pre>
 *   all batches ──▶ segments, newest last end first ──▶ … ──▶ the newest end that has been deleted
 *                └ only segments with rate-limited tasks are opened
 * </pre>
 *
 * <p>It reads on only when asked. No step of the loop decodes more than a batch or {@value #ROWS_AT_ONCE} rows, and one page of batches or
 * one segment is in memory at a time. Tasks move in the same direction, so none is missed. A task read from a batch is not reported again from
 * a segment, up to {@value #TOLD_MAX} tasks; beyond that a task may be reported twice.
 *
 * <p>It ends at records that cannot be decoded, or have been deleted.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class RateHistoryReader {
  static final int ROWS_AT_ONCE = 200;
  static final int HEADS_AT_ONCE = 16;
  static final int TOLD_MAX = 10_000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Learns how far back the starts are known. */
  public interface Hearer {
    /**
     * Every rate-limited task that ended later than this has been reported.
     *
     * @param end in milliseconds; {@link Long#MIN_VALUE}: there is nothing older, {@link Long#MAX_VALUE}: nothing is known for certain
     * @param last whether it cannot read further back
     */
    void reached(long end, boolean last);
  }

  private final Loop loop;
  private final Store store;
  private final BooleanSupplier leads;
  private final Consumer<Task> found;
  private final Hearer hearer;
  private final Set<TaskId> reported = new HashSet<>();
  private final Deque<Entry> heads = new ArrayDeque<>();
  private Optional<Scan> moreHeads = Optional.empty();
  private boolean begun;
  private long forgotten = Long.MIN_VALUE;

  /**
   * A rewind that starts at the newest end.
   *
   * @param found called with every finished task that has a rate limit
   */
  public RateHistoryReader(
      Loop loop, Store store, BooleanSupplier leads, Consumer<Task> found, Hearer hearer) {
    this.loop = loop;
    this.store = store;
    this.leads = leads;
    this.found = found;
    this.hearer = hearer;
  }

  /** Reads one more segment, or at first all batches, then calls the hearer once. Must not be called before the hearer was called. */
  public void further() {
    if (begun) {
      pass(heads.remove());
    } else {
      begun = true;
      readBatches(Scan.all(Keys.FRESH_HISTORY));
    }
  }

  private void readBatches(Scan scan) {
    ask(() -> store.scan(scan), page -> decode(new ArrayDeque<>(page.entries()), page.next()));
  }

  private void decode(Deque<Entry> batches, Optional<Scan> next) {
    Entry batch = batches.poll();
    if (batch == null) {
      next.ifPresentOrElse(
          this::readBatches, () -> readHeads(SegmentKeys.heads(0, Long.MAX_VALUE, HEADS_AT_ONCE)));
      return;
    }
    Optional<EndedBatch> endedBatch =
        SafeDecoder.read(batch, entry -> Records.endedBatch(entry.value()));
    if (endedBatch.isEmpty()) {
      hearer.reached(Long.MAX_VALUE, true); // the ends of its tasks are unknown
      return;
    }
    for (Task task : endedBatch.get().tasks()) {
      if (isRated(task)) {
        if (reported.size() < TOLD_MAX) {
          reported.add(task.id());
        }
        found.accept(task);
      }
    }
    loop.post(() -> whileLeading(() -> decode(batches, next)));
  }

  private static boolean isRated(Task task) {
    return task.work().limit().rate().isPresent();
  }

  /** The mark of deleted history is read after the heads: a missing head was deleted before. */
  private void readHeads(Scan scan) {
    ask(
        () -> store.scan(scan),
        page -> ask(() -> store.get(List.of(Keys.FORGOTTEN)), mark -> took(page, mark)));
  }

  private void took(Page page, List<Entry> mark) {
    for (Entry entry : mark) {
      forgotten = SafeDecoder.read(
              entry, each -> Records.forgotten(each.value()).lastEnd())
          .orElse(Long.MAX_VALUE);
    }
    heads.addAll(page.entries());
    moreHeads = page.next();
    stop();
  }

  /** Stops before the next segment. */
  private void stop() {
    if (heads.isEmpty() && moreHeads.isPresent()) {
      readHeads(moreHeads.get());
      return;
    }
    long next =
        heads.isEmpty() ? Long.MIN_VALUE : SegmentKeys.end(heads.element().key().text());
    boolean last = next <= forgotten;
    hearer.reached(last ? forgotten : next, last);
  }

  private void pass(Entry entry) {
    String name = entry.key().text();
    Optional<SegmentHead> head = SafeDecoder.read(entry, each -> Records.segmentHead(each.value()));
    if (head.isEmpty()) {
      stuck(name);
    } else if (head.get().rated() == 0) {
      stop();
    } else {
      ask(
          () -> store.get(List.of(SegmentKeys.tasks(name))),
          segments -> segments.stream()
              .findFirst()
              .flatMap(
                  segment -> SafeDecoder.read(segment, each -> HistorySegment.of(each.value())))
              .ifPresentOrElse(segment -> read(name, segment, 0), () -> stuck(name)));
    }
  }

  private void read(String name, HistorySegment segment, int from) {
    int to = Math.min(segment.count(), from + ROWS_AT_ONCE);
    try {
      for (int row = from; row < to; row++) {
        Task task = segment.task(row);
        if (isRated(task) && !reported.contains(task.id())) {
          found.accept(task);
        }
      }
    } catch (DamagedRecordException e) {
      stuck(name);
      return;
    }
    if (to < segment.count()) {
      loop.post(() -> whileLeading(() -> read(name, segment, to)));
    } else {
      stop();
    }
  }

  /** The segment is damaged, or was deleted a moment ago. */
  private void stuck(String name) {
    hearer.reached(SegmentKeys.end(name), true);
  }

  private <T> void ask(Supplier<CompletionStage<T>> question, Consumer<T> answer) {
    loop.onResult(question.get(), found -> whileLeading(() -> answer.accept(found)), failure -> {
      var unused = loop.after(PAUSE, () -> whileLeading(() -> ask(question, answer)));
    });
  }

  private void whileLeading(Runnable step) {
    if (leads.getAsBoolean()) {
      step.run();
    }
  }
}
