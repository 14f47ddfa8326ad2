package io.belfry.tests.witness;

import java.time.Instant;
import java.util.Optional;

/**
 * One thing that a task's body did, stamped by the ledger.
 *
 * @param fenced whether the ledger's fence had let it through, which knows the highest token of each task
 */
record LedgerLine(Instant at, Entry entry, boolean fenced) {
  private static final String NONE = "-";

  enum What {
    START,
    /** The work is done. */
    END,
    /** The body was interrupted before its work was done. */
    STOP
  }

  /**
   * What the body says.
   *
   * @param job whose fire it is, if it is one
   * @param scheduled when it was meant to run, as the body was told
   * @param key of the submit that it comes from, if it comes from one; it travels in the payload
   * @param predecessor the task whose end it follows, if it follows one
   */
  record Entry(
      What what,
      String namespace,
      String task,
      Optional<String> job,
      Instant scheduled,
      Optional<String> key,
      int attempt,
      long token,
      String worker,
      long pid,
      Optional<String> predecessor) {
    private static final int WORDS = 11;

    String text() {
      return String.join(
          "\t",
          what.name(),
          namespace,
          task,
          job.orElse(NONE),
          scheduled.toString(),
          key.orElse(NONE),
          "" + attempt,
          "" + token,
          worker,
          "" + pid,
          predecessor.orElse(NONE));
    }

    static Entry parse(String text) {
      String[] words = text.split("\t", -1);
      if (words.length != WORDS) {
        throw new IllegalArgumentException("an entry of the ledger has " + WORDS
            + " words, but this has " + words.length + ": " + text);
      }
      return new Entry(
          What.valueOf(words[0]),
          words[1],
          words[2],
          optional(words[3]),
          Instant.parse(words[4]),
          optional(words[5]),
          Integer.parseInt(words[6]),
          Long.parseLong(words[7]),
          words[8],
          Long.parseLong(words[9]),
          optional(words[10]));
    }

    private static Optional<String> optional(String word) {
      return word.equals(NONE) ? Optional.empty() : Optional.of(word);
    }

    /** The name of its process, without its incarnation. */
    String process() {
      int sign = worker.indexOf('~');
      return sign < 0 ? worker : worker.substring(0, sign);
    }
  }

  boolean isStart() {
    return entry.what == What.START;
  }

  boolean isEnd() {
    return entry.what == What.END;
  }

  String text() {
    return String.join("\t", at.toString(), fenced ? "ok" : "stale", entry.text());
  }

  static LedgerLine parse(String text) {
    String[] words = text.split("\t", 3);
    if (words.length != 3) {
      throw new IllegalArgumentException("a line of the ledger has a time, the fence's answer and"
          + " an entry, but this has not: " + text);
    }
    return new LedgerLine(Instant.parse(words[0]), Entry.parse(words[2]), words[1].equals("ok"));
  }
}
