package io.belfry.core.log;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.LateReport;
import io.belfry.core.record.LogHead;
import io.belfry.core.record.LogPiece;
import io.belfry.core.record.Progress;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
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
 * Reads the progress and logs of attempts. It needs only the store, so any node can answer.
 *
 * <p>Threading: every method from any thread; the work is done on the executor.
 */
public final class LogReader {
  private final Store store;
  private final Executor executor;
  private final LogCache cache = new LogCache(LogCache.BYTES_MAX);

  /**
   * A reader for one namespace.
   *
   * @param executor runs the decoding of records
   */
  public LogReader(Store store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  /** The memory used on this node for the cache of followed logs, in bytes. */
  public long cacheBytes() {
    return cache.bytes();
  }

  /** The progress of the task's running attempt; empty if it has reported none, or no attempt is running. */
  public CompletionStage<Optional<Progress>> progress(TaskId id) {
    return store
        .get(List.of(Keys.task(id)))
        .thenComposeAsync(
            found -> found.stream()
                .findFirst()
                .map(Stored::task)
                .filter(task -> task.state() instanceof TaskState.Held)
                .map(task -> readProgress(Keys.progress(id, task.token().value())))
                .orElseGet(() -> CompletableFuture.completedStage(Optional.empty())),
            executor);
  }

  private CompletionStage<Optional<Progress>> readProgress(Key key) {
    return store
        .get(List.of(key))
        .thenApplyAsync(
            found -> found.stream().findFirst().map(entry -> Records.progress(entry.value())),
            executor);
  }

  /** The last reports that attempts of the task made after they had been taken away, ordered by attempt. */
  public CompletionStage<List<LateReport>> late(TaskId id) {
    return store
        .scan(Keys.ofTask(Keys.LATE_REPORTS, id))
        .thenApplyAsync(
            page -> page.entries().stream()
                .flatMap(entry ->
                    SafeDecoder.read(entry, each -> Records.lateReport(each.value())).stream())
                .sorted(Comparator.comparingInt(LateReport::attempt))
                .toList(),
            executor);
  }

  /**
   * The logs of the task's attempts, in order, without empty ones. What this node has read before is not read again: of a log
   * that grows only the last piece and those after it, of any other log nothing. Only if the result does not match the size in the head,
   * all of it is read: a burst is written from its end, so that an older piece may have been incomplete.
   */
  public CompletionStage<List<AttemptLog>> logs(TaskId id) {
    return store
        .scan(Keys.ofTask(Keys.LOG_HEADS, id))
        .thenComposeAsync(page -> read(page.entries(), List.of()), executor);
  }

  private CompletionStage<List<AttemptLog>> read(List<Entry> heads, List<AttemptLog> so) {
    if (heads.isEmpty()) {
      return CompletableFuture.completedStage(so);
    }
    Entry entry = heads.getFirst();
    LogHead head = Records.logHead(entry.value());
    return text(entry, head)
        .thenComposeAsync(
            text -> {
              var more = new ArrayList<>(so);
              more.add(new AttemptLog(head.attempt(), head.worker(), text, head.complete()));
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

  /** The known pieces, and all other pieces in the head from the store. */
  private CompletionStage<NavigableMap<Long, LogPiece>> pieces(
      LogHead head, NavigableMap<Long, LogPiece> known) {
    var keys = new LinkedHashSet<Key>();
    for (long piece = 0; piece < head.pieces(); piece++) {
      if (piece == head.span()) {
        piece = Math.max(piece, head.pieces() - head.span()); // the pieces between were cut
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

  /** Whether all pieces are complete: pieces only grow, so this holds exactly when their sizes add up. */
  private static boolean isWhole(LogHead head, NavigableMap<Long, LogPiece> pieces) {
    return head.bytes()
        == pieces.values().stream()
            .filter(piece -> head.keeps(piece.number()))
            .mapToLong(piece -> piece.text().size())
            .sum();
  }

  private String kept(Entry entry, LogHead head, NavigableMap<Long, LogPiece> pieces) {
    // Pieces may be newer than the head, or older while the rest of the burst is not written yet.
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
