package io.belfry.tests.witness;

import io.belfry.tests.witness.LedgerLine.What;
import java.util.Arrays;

/** The starts and ends of one task, as tokens: nearly always one of each. Threading: confined to one check. */
final class Seen {
  private static final long[] NONE = {};

  private long[] started = NONE;
  private long[] ended = NONE;

  /** False when that attempt had done so before. */
  boolean add(LedgerLine line) {
    if (line.what() == What.START) {
      boolean first = !contains(started, line.token());
      started = with(started, line.token());
      return first;
    }
    boolean first = !contains(ended, line.token());
    ended = with(ended, line.token());
    return first;
  }

  boolean hasEnded() {
    return ended.length > 0;
  }

  boolean hasEnded(long token) {
    return contains(ended, token);
  }

  /** Whether an attempt after this one did anything. */
  boolean isAfter(long token) {
    return Arrays.stream(started).anyMatch(each -> each > token)
        || Arrays.stream(ended).anyMatch(each -> each > token);
  }

  int reruns() {
    return Math.max(0, started.length - 1);
  }

  /** Ends of attempts other than the accepted one. */
  int endsBeside(long token) {
    return (int) Arrays.stream(ended).filter(each -> each != token).count();
  }

  private static boolean contains(long[] tokens, long token) {
    return Arrays.stream(tokens).anyMatch(each -> each == token);
  }

  private static long[] with(long[] tokens, long token) {
    long[] longer = Arrays.copyOf(tokens, tokens.length + 1);
    longer[tokens.length] = token;
    return longer;
  }
}
