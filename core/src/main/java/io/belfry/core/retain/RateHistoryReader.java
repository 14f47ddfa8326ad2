package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.PackKeys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Pack;
import io.belfry.core.record.PackHead;
import io.belfry.core.record.Records;
import io.belfry.core.record.Segment;
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
 *   all lots ──▶ packs, newest last end first ──▶ … ──▶ the newest end that has been deleted
 *                └ only packs with rate-limited tasks are opened
 * </pre>
 *
 * <p>It reads on only when asked. No step of the loop decodes more than a lot or {@value #ROWS_AT_ONCE} rows, and one page of lots or
 * one pack is in memory at a time. Tasks move in the same direction, so none is missed. A task read from a lot is not reported again from
 * a pack, up to {@value #TOLD_MAX} tasks; beyond that a task may be reported twice.
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

  /** Reads one more pack, or at first all lots, then calls the hearer once. Must not be called before the hearer was called. */
  public void further() {
    if (begun) {
      pass(heads.remove());
    } else {
      begun = true;
      readLots(Scan.all(Keys.FRESH_HISTORY));
    }
  }

  private void readLots(Scan scan) {
    ask(() -> store.scan(scan), page -> decode(new ArrayDeque<>(page.entries()), page.next()));
  }

  private void decode(Deque<Entry> lots, Optional<Scan> next) {
    Entry lot = lots.poll();
    if (lot == null) {
      next.ifPresentOrElse(
          this::readLots, () -> readHeads(PackKeys.heads(0, Long.MAX_VALUE, HEADS_AT_ONCE)));
      return;
    }
    Optional<Segment> segment = Legible.read(lot, entry -> Records.segment(entry.value()));
    if (segment.isEmpty()) {
      hearer.reached(Long.MAX_VALUE, true); // the ends of its tasks are unknown
      return;
    }
    for (Task task : segment.get().tasks()) {
      if (isRated(task)) {
        if (reported.size() < TOLD_MAX) {
          reported.add(task.id());
        }
        found.accept(task);
      }
    }
    loop.post(() -> whileLeading(() -> decode(lots, next)));
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
      forgotten = Legible.read(entry, each -> Records.forgotten(each.value()).lastEnd())
          .orElse(Long.MAX_VALUE);
    }
    heads.addAll(page.entries());
    moreHeads = page.next();
    stop();
  }

  /** Stops before the next pack. */
  private void stop() {
    if (heads.isEmpty() && moreHeads.isPresent()) {
      readHeads(moreHeads.get());
      return;
    }
    long next =
        heads.isEmpty() ? Long.MIN_VALUE : PackKeys.end(heads.element().key().text());
    boolean last = next <= forgotten;
    hearer.reached(last ? forgotten : next, last);
  }

  private void pass(Entry entry) {
    String name = entry.key().text();
    Optional<PackHead> head = Legible.read(entry, each -> Records.packHead(each.value()));
    if (head.isEmpty()) {
      stuck(name);
    } else if (head.get().rated() == 0) {
      stop();
    } else {
      ask(
          () -> store.get(List.of(PackKeys.tasks(name))),
          packs -> packs.stream()
              .findFirst()
              .flatMap(pack -> Legible.read(pack, each -> Pack.of(each.value())))
              .ifPresentOrElse(pack -> read(name, pack, 0), () -> stuck(name)));
    }
  }

  private void read(String name, Pack pack, int from) {
    int to = Math.min(pack.count(), from + ROWS_AT_ONCE);
    try {
      for (int row = from; row < to; row++) {
        Task task = pack.task(row);
        if (isRated(task) && !reported.contains(task.id())) {
          found.accept(task);
        }
      }
    } catch (DamagedRecordException e) {
      stuck(name);
      return;
    }
    if (to < pack.count()) {
      loop.post(() -> whileLeading(() -> read(name, pack, to)));
    } else {
      stop();
    }
  }

  /** The pack is damaged, or was deleted a moment ago. */
  private void stuck(String name) {
    hearer.reached(PackKeys.end(name), true);
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
