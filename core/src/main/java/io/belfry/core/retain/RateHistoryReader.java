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
 * Goes back through finished tasks for a leader that must know what was begun under a rate before it led.
 *
 * <pre>
 *   all lots ──▶ packs, newest last end first ──▶ … ──▶ the newest end that has been forgotten
 *                └ only those in which something has a rate are opened
 * </pre>
 *
 * <p>It goes on only when asked. No step of the loop decodes more than a lot or {@value #ROWS_AT_ONCE} rows, and one page of lots or
 * one pack is held at a time. Tasks go the same way, so none is missed. What it read in a lot it does not tell again when it meets it
 * in a pack, up to {@value #TOLD_MAX} tasks; beyond that a task may be told twice.
 *
 * <p>Where something cannot be read, or has been forgotten, it ends.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class RateHistoryReader {
  static final int ROWS_AT_ONCE = 200;
  static final int HEADS_AT_ONCE = 16;
  static final int TOLD_MAX = 10_000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Hears how far back everything is known. */
  public interface Hearer {
    /**
     * Everything with a rate that ended later than this has been told.
     *
     * @param end in milliseconds; {@link Long#MIN_VALUE}: there is nothing older, {@link Long#MAX_VALUE}: nothing is known for certain
     * @param last it cannot be gone further back
     */
    void reached(long end, boolean last);
  }

  private final Loop loop;
  private final Store store;
  private final BooleanSupplier leads;
  private final Consumer<Task> found;
  private final Hearer hearer;
  private final Set<TaskId> told = new HashSet<>();
  private final Deque<Entry> heads = new ArrayDeque<>();
  private Optional<Scan> moreHeads = Optional.empty();
  private boolean begun;
  private long forgotten = Long.MIN_VALUE;

  /**
   * At the newest end.
   *
   * @param found told of every finished task that has a rate
   */
  public RateHistoryReader(
      Loop loop, Store store, BooleanSupplier leads, Consumer<Task> found, Hearer hearer) {
    this.loop = loop;
    this.store = store;
    this.leads = leads;
    this.found = found;
    this.hearer = hearer;
  }

  /** Goes on by one pack, or at first by all lots; the hearer is told once. Not before it was told of the time before. */
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
      hearer.reached(Long.MAX_VALUE, true); // nobody can tell when what is in it ended
      return;
    }
    for (Task task : segment.get().tasks()) {
      if (isRated(task)) {
        if (told.size() < TOLD_MAX) {
          told.add(task.id());
        }
        found.accept(task);
      }
    }
    loop.post(() -> whileLeading(() -> decode(lots, next)));
  }

  private static boolean isRated(Task task) {
    return task.work().limit().rate().isPresent();
  }

  /** What has been forgotten is read after the heads: one that is missing from them was forgotten before. */
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

  /** Before the next pack. */
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
        if (isRated(task) && !told.contains(task.id())) {
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

  /** The pack is damaged, or was forgotten a moment ago. */
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
