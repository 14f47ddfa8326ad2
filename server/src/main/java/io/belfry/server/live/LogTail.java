package io.belfry.server.live;

import io.belfry.core.journal.AttemptText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows the log of a task: computes what was added since the last poll.
 *
 * <p>Threading: confined to its reader.
 */
public final class LogTail {
  private final Map<Integer, String> seen = new HashMap<>();

  /**
   * A piece of an attempt's log.
   *
   * @param from offset of the piece, in characters
   * @param anew whether it replaces everything sent of the attempt so far, because the middle of a long log was cut out
   */
  public record Piece(int attempt, int from, String text, boolean anew) {
    public int to() {
      return from + text.length();
    }
  }

  /** Follows from the beginning. */
  public LogTail() {}

  /** The pieces to send after a poll. */
  public List<Piece> news(List<AttemptText> logs) {
    var pieces = new ArrayList<Piece>();
    for (AttemptText log : logs) {
      String before = seen.getOrDefault(log.attempt(), "");
      String now = log.text();
      if (now.equals(before)) {
        continue;
      }
      boolean grows = now.startsWith(before);
      int from = grows ? before.length() : 0;
      pieces.add(new Piece(log.attempt(), from, now.substring(from), !grows));
      seen.put(log.attempt(), now);
    }
    return pieces;
  }

  /** Resumes after the position of a reader, which has all earlier attempts and the first {@code chars} characters of this one. */
  public void resume(int attempt, int chars, List<AttemptText> logs) {
    for (AttemptText log : logs) {
      if (log.attempt() < attempt) {
        seen.put(log.attempt(), log.text());
      } else if (log.attempt() == attempt) {
        seen.put(
            attempt, log.text().substring(0, Math.clamp(chars, 0, log.text().length())));
      }
    }
  }
}
