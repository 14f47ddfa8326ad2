package io.belfry.server.rest;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that bodies of requests take while they arrive and are handled. It is a part of the heap, of which one caller has a share: clients that
 * send large bodies slowly, or many at once, are refused before they fill the heap, and do not keep others from sending theirs.
 *
 * <p>Threading: safe.
 */
final class BodyMemory {
  private static final int PART_OF_HEAP = 8;
  private static final int SHARES = 4;
  /** What an element of JSON takes once it was read, with its place in the one that holds it. */
  private static final long ELEMENT_BYTES = 48;

  private final long all;
  private final long share;
  private final AtomicLong taken = new AtomicLong();
  private final Map<String, Long> byCaller = new ConcurrentHashMap<>();

  BodyMemory(long all) {
    this.all = all;
    this.share = all / SHARES;
  }

  static BodyMemory ofHeap() {
    return new BodyMemory(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /**
   * Takes more for a request; false: there is no room. Whoever has nothing but this request may exceed its share, so that no body that is
   * allowed is refused for ever.
   *
   * @param held what the request has already
   */
  boolean take(String caller, long held, long more) {
    long its = byCaller.merge(caller, more, Long::sum);
    long sum = taken.addAndGet(more);
    boolean fits = sum <= all && (its <= share || its == held + more);
    if (fits || sum == held + more) {
      return true;
    }
    give(caller, more);
    return false;
  }

  void give(String caller, long bytes) {
    taken.addAndGet(-bytes);
    byCaller.computeIfPresent(caller, (unused, its) -> its == bytes ? null : its - bytes);
  }

  /** What is taken now. */
  long taken() {
    return taken.get();
  }

  /** What the elements of a JSON text take once they were read, at most. */
  static long elements(byte[] json) {
    long marks = 1;
    for (byte each : json) {
      marks += each == ',' || each == ':' || each == '{' || each == '[' ? 1 : 0;
    }
    return marks * ELEMENT_BYTES;
  }
}
