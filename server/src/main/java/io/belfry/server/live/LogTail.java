package io.belfry.server.live;

import io.belfry.core.journal.AttemptText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is new of a task's log since the last look.
 *
 * <p>Threading: confined to its reader.
 */
public final class LogTail {
  private final Map<Integer, String> seen = new HashMap<>();

  /**
   * A piece of an attempt's log.
   *
   * @param from where it begins, in characters
   * @param anew whether it takes the place of all that was sent of the attempt: the middle of a long log is cut out while it grows
   */
  public record Piece(int attempt, int from, String text, boolean anew) {
    public int to() {
      return from + text.length();
    }
  }

  /** A tail from the beginning. */
  public LogTail() {}

  /** What is to be sent after a look. */
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

  /** Goes on behind what a reader said that it has: the first so many characters of an attempt, and all of those before it. */
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
