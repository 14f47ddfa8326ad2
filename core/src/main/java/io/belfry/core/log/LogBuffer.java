package io.belfry.core.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.record.LogHead;
import io.belfry.core.record.Progress;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Revision;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Buffers the log lines and progress of one attempt until the store has them. Never blocks: of a flood, the beginning and the end
 * are kept.
 *
 * <pre>
 *   pieces  0 1 … span-1 │ cut, and counted │ n-span … n-1
 *           in memory only until they are written; the newest is written again while it grows
 * </pre>
 *
 * <p>Threading: safe.
 */
public final class LogBuffer {
  private static final int LINE_CHARS_MAX = 4096;

  /** Some lines. Their first {@code written} bytes are in the store. */
  private static final class Piece {
    final long number;
    final ByteArrayOutputStream text = new ByteArrayOutputStream(256);
    int lines;
    int written;

    Piece(long number) {
      this.number = number;
    }
  }

  /** The text of a piece at the time of the copy. */
  record Copy(long number, byte[] text) {}

  /** The part to be written next. */
  record Page(List<Copy> pieces, Optional<LogHead> head, Optional<Progress> progress) {}

  /** What the writer remembers about this buffer. Threading: confined to the writer's loop. */
  static final class Trace {
    long headRevision = Revision.NONE;
    boolean writtenOnce;
    long writtenAt;
    boolean progressKept;
  }

  final Trace trace = new Trace();
  private final Task task;
  private final String worker;
  private final int span;
  private final Room room;
  private final Consumer<LogBuffer> onNews;

  private final ArrayDeque<Piece> unwritten = new ArrayDeque<>();
  private @Nullable Piece newest;
  /** Lines and bytes of the pieces kept at the end, by slot; allocated with the first line. */
  private int @Nullable [] tailLines;

  private int @Nullable [] tailBytes;
  private long pieces;
  private long bytes;
  private long cutLines;
  private Instant last = Instant.EPOCH;
  private @Nullable Progress progress;
  private boolean headChanged;
  private boolean notified;
  private boolean hasContent;
  private boolean closed;
  private boolean silenced;

  /**
   * An empty buffer.
   *
   * @param onNews called, from any thread, when there is something to write; once until the next take
   */
  LogBuffer(Task task, String worker, Room room, Consumer<LogBuffer> onNews) {
    this.task = task;
    this.worker = worker;
    this.span = LogHead.span(task.attempts());
    this.room = room;
    this.onNews = onNews;
  }

  TaskId id() {
    return task.id();
  }

  Task task() {
    return task;
  }

  long token() {
    return task.token().value();
  }

  /** Adds lines. Ignored after the end of the attempt. */
  public void log(String text, Instant now) {
    boolean first;
    synchronized (this) {
      if (closed || silenced) {
        return;
      }
      last = now;
      headChanged = true;
      if (text.isEmpty()) {
        keep("");
      } else {
        text.lines().forEach(this::keep);
      }
      first = markNotified();
    }
    if (first) {
      onNews.accept(this);
    }
  }

  public void progress(Progress reported) {
    boolean first;
    synchronized (this) {
      if (closed) {
        return;
      }
      progress = reported;
      first = markNotified();
    }
    if (first) {
      onNews.accept(this);
    }
  }

  /** The attempt's code has ended. */
  public void close() {
    boolean first;
    synchronized (this) {
      first = hasContent && !closed;
      closed = true;
      dropIfWritten(newest);
      headChanged |= !silenced && (pieces > 0 || cutLines > 0);
    }
    if (first) {
      onNews.accept(this);
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private boolean markNotified() {
    boolean first = !notified;
    notified = true;
    hasContent = true;
    return first;
  }

  private void keep(String line) {
    String kept = line.length() <= LINE_CHARS_MAX
        ? line
        : line.substring(0, LINE_CHARS_MAX) + " … (line was cut)";
    byte[] text = (kept + "\n").getBytes(UTF_8);
    if (!room.take(text.length)) {
      cutLines++;
      return;
    }
    Piece piece = newest;
    if (piece == null || piece.text.size() + text.length > LogHead.PIECE_BYTES_MAX) {
      piece = next();
    }
    piece.text.writeBytes(text);
    piece.lines++;
    bytes += text.length;
    if (piece.number >= span && tailLines != null && tailBytes != null) {
      int slot = (int) ((piece.number - span) % span);
      tailLines[slot] = piece.lines;
      tailBytes[slot] = piece.text.size();
    }
  }

  private Piece next() {
    dropIfWritten(newest);
    var piece = new Piece(pieces++);
    newest = piece;
    unwritten.addLast(piece);
    if (tailLines == null || tailBytes == null) {
      tailLines = new int[span];
      tailBytes = new int[span];
    }
    if (piece.number >= 2L * span) {
      int slot = (int) ((piece.number - span) % span);
      cutLines += tailLines[slot];
      bytes -= tailBytes[slot];
      unwritten.stream()
          .filter(old -> old.number == piece.number - span)
          .findFirst()
          .ifPresent(this::drop);
    }
    return piece;
  }

  private void dropIfWritten(@Nullable Piece piece) {
    if (piece != null && piece.written == piece.text.size()) {
      drop(piece);
    }
  }

  private void drop(Piece piece) {
    if (unwritten.remove(piece)) {
      room.giveBack(piece.text.size() - piece.written);
    }
    if (piece == newest) {
      newest = null;
    }
  }

  /**
   * Returns new content, at most {@code most} pieces: the beginning first, then from the newest backwards, because older pieces may be
   * cut before anyone reads them.
   */
  synchronized Page take(int most) {
    notified = false;
    var taken = new ArrayList<Copy>();
    for (Piece piece : unwritten) {
      if (piece.number < span && isNew(piece) && taken.size() < most) {
        taken.add(copy(piece));
      }
    }
    for (var all = unwritten.descendingIterator(); all.hasNext() && taken.size() < most; ) {
      Piece piece = all.next();
      if (piece.number >= span && isNew(piece)) {
        taken.add(copy(piece));
      }
    }
    Optional<LogHead> head =
        headChanged || !taken.isEmpty() ? Optional.of(head(taken.size())) : Optional.empty();
    var page = new Page(taken, head, Optional.ofNullable(progress));
    progress = null;
    return page;
  }

  private static boolean isNew(Piece piece) {
    return piece.written < piece.text.size();
  }

  private static Copy copy(Piece piece) {
    return new Copy(piece.number, piece.text.toByteArray());
  }

  private LogHead head(int taking) {
    boolean all = unwritten.stream().filter(LogBuffer::isNew).count() == taking;
    return new LogHead(
        id(), token(), task.attempts(), worker, last, span, pieces, bytes, cutLines, closed && all);
  }

  /** This page was written to the store. */
  synchronized void written(Page page) {
    for (Copy copy : page.pieces()) {
      for (Piece piece : List.copyOf(unwritten)) {
        if (piece.number == copy.number()) {
          room.giveBack(copy.text().length - piece.written);
          piece.written = copy.text().length;
          if (piece != newest || closed) {
            dropIfWritten(piece);
          }
        }
      }
    }
    page.head().ifPresent(head -> headChanged = isBehind(head));
  }

  private boolean isBehind(LogHead head) {
    return head.pieces() != pieces
        || head.bytes() != bytes
        || head.cutLines() != cutLines
        || head.complete() != closed;
  }

  /** Whether there is content that the store does not have. */
  synchronized boolean hasNews() {
    return progress != null || headChanged || unwritten.stream().anyMatch(LogBuffer::isNew);
  }

  /** Nothing of this buffer will be written any more: frees its memory and ignores further lines. */
  synchronized void silence() {
    silenced = true;
    headChanged = false;
    newest = null;
    List.copyOf(unwritten).forEach(this::drop);
  }
}
