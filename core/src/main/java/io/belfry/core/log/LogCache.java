package io.belfry.core.log;

import io.belfry.core.record.LogHead;
import io.belfry.core.record.LogPiece;
import io.belfry.store.Key;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Recently read logs, so that clients that follow a log read only what is new, and share what they have read. At most {@value #BYTES_MAX}
 * bytes: the least recently used log is evicted first.
 *
 * <p>Threading: safe.
 */
final class LogCache {
  static final long BYTES_MAX = 16L << 20;

  /** A piece is kept as bytes, and again as part of the text. */
  private static final int COPIES = 2;

  private static final int BYTES_BESIDE = 500;

  /**
   * The log of one attempt.
   *
   * @param revision of the head
   * @param pieces by number
   * @param text all pieces, as shown to users
   */
  record Known(long revision, LogHead head, NavigableMap<Long, LogPiece> pieces, String text) {
    long weight() {
      return COPIES * (long) text.length() + BYTES_BESIDE;
    }
  }

  private final long bytesMax;
  private final Map<Key, Known> known = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  LogCache(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  synchronized Optional<Known> get(Key head) {
    return Optional.ofNullable(known.get(head));
  }

  synchronized void put(Key head, Known log) {
    Known before = known.put(head, log);
    bytes += log.weight() - (before == null ? 0 : before.weight());
    Iterator<Known> oldest = known.values().iterator();
    while (bytes > bytesMax && oldest.hasNext()) {
      bytes -= oldest.next().weight();
      oldest.remove();
    }
  }

  synchronized long bytes() {
    return bytes;
  }
}
