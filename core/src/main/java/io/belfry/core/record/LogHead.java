package io.belfry.core.record;

import io.belfry.model.Check;
import io.belfry.model.task.TaskId;
import java.time.Instant;

/**
 * The head of an attempt's log. The text is stored beside it in pieces, each in its slot.
 *
 * @param attempt counted from 1
 * @param last when the newest line was written, by the worker's clock
 * @param span how many pieces are kept from the beginning, and as many from the end
 * @param pieces how many pieces there have been
 * @param bytes the size of the kept pieces, before compression
 * @param cutLines lines that are not kept
 * @param complete whether the attempt has ended and nothing follows
 */
public record LogHead(
    TaskId task,
    long token,
    int attempt,
    String worker,
    Instant last,
    int span,
    long pieces,
    long bytes,
    long cutLines,
    boolean complete) {

  public static final int PIECE_BYTES_MAX = 16 * 1024;
  public static final int SPAN_MAX = 16;

  /** The first attempt whose log is deleted when the next one logs: so many fit into 1 MiB, each half of the previous one. */
  public static final int SHORT_LIVED = 6;

  public LogHead {
    Check.between("log.span", span, 1, SPAN_MAX, "a task's log is bounded");
  }

  /** How much log an attempt may keep: half a mebibyte for the first, so that all logs of a task stay within one. */
  public static int span(int attempt) {
    return attempt >= SHORT_LIVED ? 1 : Math.max(1, SPAN_MAX >> Math.max(0, attempt - 1));
  }

  /** The slot of a piece: pieces at the end overwrite each other. */
  public static int slot(int span, long piece) {
    return (int) (piece < span ? piece : span + (piece - span) % span);
  }

  /** The number of slots in use. */
  public int slots() {
    return (int) Math.clamp(pieces, 0, 2L * span);
  }

  /** Whether the piece with this number is kept. */
  public boolean keeps(long piece) {
    return piece >= 0 && piece < pieces && (piece < span || piece >= pieces - span);
  }
}
