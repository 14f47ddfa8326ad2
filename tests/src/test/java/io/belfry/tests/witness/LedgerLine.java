package io.belfry.tests.witness;

import java.time.Instant;

/**
 * One thing that a task's body did.
 *
 * @param fenced for a START: whether the ledger's fence had let it through, which knows the highest token of each task
 */
record LedgerLine(
    Instant at,
    What what,
    String task,
    int attempt,
    long token,
    String worker,
    long pid,
    boolean fenced) {

  enum What {
    START,
    END
  }

  String text() {
    return String.join(
        "\t",
        at.toString(),
        what.name(),
        task,
        "" + attempt,
        "" + token,
        worker,
        "" + pid,
        fenced ? "ok" : "stale");
  }

  static LedgerLine parse(String text) {
    String[] words = text.split("\t", -1);
    if (words.length != 8) {
      throw new IllegalArgumentException(
          "a line of the ledger has 8 words, but this has " + words.length + ": " + text);
    }
    return new LedgerLine(
        Instant.parse(words[0]),
        What.valueOf(words[1]),
        words[2],
        Integer.parseInt(words[3]),
        Long.parseLong(words[4]),
        words[5],
        Long.parseLong(words[6]),
        words[7].equals("ok"));
  }
}
