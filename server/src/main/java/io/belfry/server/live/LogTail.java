package io.belfry.server.live;

import io.belfry.core.log.AttemptLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Follows the log of a task: computes what was added since the last poll. Of what was sent it remembers only how much it was, and a sum of it: many who follow long logs take
 * little memory.
 *
 * <p>Threading: confined to its reader.
 */
public final class LogTail {
  /** A long log is sent in pieces: so much of one is in memory for a reader that is slow. */
  static final int PIECE_CHARS_MAX = 64 << 10;

  private static final Seen NOTHING = new Seen(0, 0);

  /** The beginning of a text. */
  private record Seen(int length, int sum) {
    static Seen of(String text) {
      return new Seen(text.length(), text.hashCode());
    }

    boolean isAll(String text) {
      return text.length() == length && text.hashCode() == sum;
    }

    boolean begins(String text) {
      return text.length() >= length && text.substring(0, length).hashCode() == sum;
    }
  }

  private final Map<Integer, Seen> seen = new HashMap<>();

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

  /** The pieces to send next after a poll; there may be more, as long as there is any. */
  public Optional<Piece> news(List<AttemptLog> logs) {
    for (AttemptLog log : logs) {
      Seen before = seen.getOrDefault(log.attempt(), NOTHING);
      String now = log.text();
      if (before.isAll(now)) {
        continue;
      }
      boolean grows = before.begins(now);
      int from = grows ? before.length : 0;
      int to = end(now, from);
      seen.put(log.attempt(), Seen.of(now.substring(0, to)));
      return Optional.of(new Piece(log.attempt(), from, now.substring(from, to), !grows));
    }
    return Optional.empty();
  }

  /** A character of two halves is not parted. */
  private static int end(String text, int from) {
    int to = Math.min(text.length(), from + PIECE_CHARS_MAX);
    return to < text.length() && Character.isHighSurrogate(text.charAt(to - 1)) ? to - 1 : to;
  }

  /** Resumes after the position of a reader, which has all earlier attempts and the first {@code chars} characters of this one. */
  public void resume(int attempt, int chars, List<AttemptLog> logs) {
    for (AttemptLog log : logs) {
      if (log.attempt() < attempt) {
        seen.put(log.attempt(), Seen.of(log.text()));
      } else if (log.attempt() == attempt) {
        seen.put(
            attempt,
            Seen.of(log.text().substring(0, Math.clamp(chars, 0, log.text().length()))));
      }
    }
  }
}
