package io.belfry.core.record;

import io.belfry.model.Check;
import io.belfry.model.task.TaskId;
import java.time.Instant;

/**
 * What there is of an attempt's log. The text lies beside it in pieces, each in its slot.
 *
 * @param attempt counted from 1
 * @param last when the newest line was written, by the worker's clock
 * @param span so many pieces are kept from the beginning, and as many from the end
 * @param pieces how many there have been
 * @param bytes what the pieces that are kept weigh, before they are compressed
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

  /** The first attempt whose log is forgotten when the next one logs: so many fit into 1 MiB, each half of the one before. */
  public static final int SHORT_LIVED = 6;

  public LogHead {
    Check.between("log.span", span, 1, SPAN_MAX, "a task's log is bounded");
  }

  /** How much an attempt may keep: half a mebibyte for the first, so that all of a task's stay within one. */
  public static int span(int attempt) {
    return attempt >= SHORT_LIVED ? 1 : Math.max(1, SPAN_MAX >> Math.max(0, attempt - 1));
  }

  /** Where a piece lies: those of the end take each other's place. */
  public static int slot(int span, long piece) {
    return (int) (piece < span ? piece : span + (piece - span) % span);
  }

  /** Slots that are in use. */
  public int slots() {
    return (int) Math.clamp(pieces, 0, 2L * span);
  }

  /** Whether a piece of this number belongs to what is kept. */
  public boolean keeps(long piece) {
    return piece >= 0 && piece < pieces && (piece < span || piece >= pieces - span);
  }
}
