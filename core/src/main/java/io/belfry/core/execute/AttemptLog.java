package io.belfry.core.execute;

import java.util.ArrayDeque;

/**
 * The lines of one attempt, with a bound: of a flood, the beginning and the end are kept and the cut between them is marked.
 *
 * <p>Threading: safe.
 */
final class AttemptLog {
  /** At most 1 MiB as UTF-8, which takes up to three bytes for each of them. */
  static final int CHARS_MAX = (1 << 20) / 3;

  private static final int HEAD_MAX = CHARS_MAX / 2;
  private static final int TAIL_MAX = CHARS_MAX / 2;
  private static final int LINE_MAX = 16 * 1024;

  private final StringBuilder head = new StringBuilder();
  private final ArrayDeque<String> tail = new ArrayDeque<>();
  private int tailChars;
  private long cutLines;
  private boolean headFull;

  synchronized void add(String line) {
    String kept =
        line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX) + " … (line was cut)";
    if (!headFull && head.length() + kept.length() + 1 <= HEAD_MAX) {
      head.append(kept).append('\n');
      return;
    }
    headFull = true;
    tail.addLast(kept);
    tailChars += kept.length() + 1;
    while (tailChars > TAIL_MAX) {
      tailChars -= tail.removeFirst().length() + 1;
      cutLines++;
    }
  }

  synchronized int chars() {
    return head.length() + tailChars;
  }

  synchronized String text() {
    var text = new StringBuilder(head);
    if (cutLines > 0) {
      text.append("… (").append(cutLines).append(" lines were cut here) …\n");
    }
    tail.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }
}
