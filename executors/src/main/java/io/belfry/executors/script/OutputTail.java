package io.belfry.executors.script;

import java.util.ArrayDeque;

/** The last lines of the output. Threading: safe. */
final class OutputTail {
  private final int charsMax;
  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private int chars;

  OutputTail(int charsMax) {
    this.charsMax = charsMax;
  }

  synchronized void add(String line) {
    String kept = line.length() < charsMax ? line : line.substring(line.length() - charsMax + 1);
    lines.addLast(kept);
    chars += kept.length() + 1;
    while (chars > charsMax) {
      chars -= lines.removeFirst().length() + 1;
    }
  }

  synchronized String text() {
    return String.join("\n", lines).strip();
  }
}
