package io.belfry.core.journal;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.LateReport;
import io.belfry.core.record.Legible;
import io.belfry.core.record.LogHead;
import io.belfry.core.record.LogPiece;
import io.belfry.core.record.Progress;
import io.belfry.core.record.Records;
import io.belfry.core.record.Stored;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Reads what attempts have said. Asks only the store, so that any node answers.
 *
 * <p>Threading: every method from any thread; the work is done on the executor.
 */
public final class Journal {
  private final Store store;
  private final Executor executor;
  private final LogCache cache = new LogCache(LogCache.BYTES_MAX);

  /**
   * The journal of one namespace.
   *
   * @param executor where records are decoded
   */
  public Journal(Store store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  /** What this node keeps in memory of logs that were followed, in bytes. */
  public long cacheBytes() {
    return cache.bytes();
  }

  /** How far the task's present attempt says that it has come; empty if it has said nothing, or does not run. */
  public CompletionStage<Optional<Progress>> progress(TaskId id) {
    return store
        .get(List.of(Keys.task(id)))
        .thenComposeAsync(
            found -> found.stream()
                .findFirst()
                .map(Stored::task)
                .filter(task -> task.state() instanceof TaskState.Held)
                .map(task -> said(Keys.progress(id, task.token().value())))
                .orElseGet(() -> CompletableFuture.completedStage(Optional.empty())),
            executor);
  }

  private CompletionStage<Optional<Progress>> said(Key key) {
    return store
        .get(List.of(key))
        .thenApplyAsync(
            found -> found.stream().findFirst().map(entry -> Records.progress(entry.value())),
            executor);
  }

  /** What was reported of the task's attempts when they had been taken away, in the order of the attempts: the last of them. */
  public CompletionStage<List<LateReport>> late(TaskId id) {
    return store
        .scan(Keys.ofTask(Keys.LATE_REPORTS, id))
        .thenApplyAsync(
            page -> page.entries().stream()
                .flatMap(
                    entry -> Legible.read(entry, each -> Records.lateReport(each.value())).stream())
                .sorted(Comparator.comparingInt(LateReport::attempt))
                .toList(),
            executor);
  }

  /**
   * The logs of the task's attempts that have logged anything, in their order. What this node has read before is not read again: of a log
   * that grows only the last piece and those behind it, of one that does not nothing. Only where that does not add up to what the head
   * counts, all of it is read: a burst is written from its end, so that an older piece may have been in the store in part.
   */
  public CompletionStage<List<AttemptText>> logs(TaskId id) {
    return store
        .scan(Keys.ofTask(Keys.LOG_HEADS, id))
        .thenComposeAsync(page -> read(page.entries(), List.of()), executor);
  }

  private CompletionStage<List<AttemptText>> read(List<Entry> heads, List<AttemptText> so) {
    if (heads.isEmpty()) {
      return CompletableFuture.completedStage(so);
    }
    Entry entry = heads.getFirst();
    LogHead head = Records.logHead(entry.value());
    return text(entry, head)
        .thenComposeAsync(
            text -> {
              var more = new ArrayList<>(so);
              more.add(new AttemptText(head.attempt(), head.worker(), text, head.complete()));
              return read(heads.subList(1, heads.size()), List.copyOf(more));
            },
            executor);
  }

  private CompletionStage<String> text(Entry entry, LogHead head) {
    Optional<LogCache.Known> known = cache.get(entry.key());
    if (known.isPresent() && known.get().revision() == entry.revision()) {
      return CompletableFuture.completedStage(known.get().text());
    }
    NavigableMap<Long, LogPiece> before = new TreeMap<>();
    // The last piece may have grown since.
    known.ifPresent(log -> before.putAll(log.pieces().headMap(log.head().pieces() - 1, false)));
    return pieces(head, before)
        .thenComposeAsync(
            pieces -> before.isEmpty() || isWhole(head, pieces)
                ? CompletableFuture.completedStage(pieces)
                : pieces(head, new TreeMap<>()),
            executor)
        .thenApplyAsync(pieces -> kept(entry, head, pieces), executor);
  }

  /** Those that are known, and from the store all others that the head keeps. */
  private CompletionStage<NavigableMap<Long, LogPiece>> pieces(
      LogHead head, NavigableMap<Long, LogPiece> known) {
    var keys = new LinkedHashSet<Key>();
    for (long piece = 0; piece < head.pieces(); piece++) {
      if (piece == head.span()) {
        piece = Math.max(piece, head.pieces() - head.span()); // what lies between is cut
      }
      if (!known.containsKey(piece)) {
        keys.add(Keys.logPiece(head.task(), head.token(), LogHead.slot(head.span(), piece)));
      }
    }
    NavigableMap<Long, LogPiece> pieces = new TreeMap<>(known);
    if (keys.isEmpty()) {
      return CompletableFuture.completedStage(pieces);
    }
    return store
        .get(keys)
        .thenApplyAsync(
            entries -> {
              entries.stream()
                  .map(each -> Records.logPiece(each.value()))
                  .forEach(piece -> pieces.put(piece.number(), piece));
              return pieces;
            },
            executor);
  }

  /** Pieces only grow, so of a log that is complete this holds when each of them is, and not before. */
  private static boolean isWhole(LogHead head, NavigableMap<Long, LogPiece> pieces) {
    return head.bytes()
        == pieces.values().stream()
            .filter(piece -> head.keeps(piece.number()))
            .mapToLong(piece -> piece.text().size())
            .sum();
  }

  private String kept(Entry entry, LogHead head, NavigableMap<Long, LogPiece> pieces) {
    // The pieces may be newer than the head, or older than it while they have not all been written.
    pieces.keySet().removeIf(number -> number < head.pieces() && !head.keeps(number));
    String text = text(head, pieces.values());
    cache.put(entry.key(), new LogCache.Known(entry.revision(), head, pieces, text));
    return text;
  }

  private static String text(LogHead head, Collection<LogPiece> pieces) {
    var text = new StringBuilder();
    boolean marked = head.cutLines() == 0;
    long expected = 0;
    for (LogPiece piece : pieces) {
      if (piece.number() != expected && !marked) {
        mark(text, head.cutLines());
        marked = true;
      }
      text.append(piece.text().text());
      expected = piece.number() + 1;
    }
    if (!marked) {
      mark(text, head.cutLines());
    }
    return text.toString();
  }

  private static void mark(StringBuilder text, long lines) {
    text.append("… (").append(lines).append(" lines were cut here) …\n");
  }
}
