package io.belfry.core.history;

import io.belfry.core.record.Bloom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Caches the id filters of segments on this node, so that a search for an id reads each head once. A segment never changes, so neither does
 * its filter.
 *
 * <p>At most {@link #BYTES_MAX} bytes, enough for the filters of about 13 million finished tasks. Beyond that, known filters stay, and
 * each search reads all other heads.
 *
 * <p>Threading: safe.
 */
final class SegmentFilters {
  static final long BYTES_MAX = 32L << 20;
  /** Names and the map's own entries. */
  private static final int BYTES_BESIDE = 200;
  /** How many filters of deleted segments may be cached before they are removed. */
  private static final int GONE_MAX = 100;

  private final long bytesMax;
  private final Map<String, Bloom> known = new HashMap<>();
  private long bytes;

  SegmentFilters(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  synchronized Optional<Bloom> get(String segment) {
    return Optional.ofNullable(known.get(segment));
  }

  synchronized void add(String segment, Bloom filter) {
    if (bytes + weight(filter) <= bytesMax && known.putIfAbsent(segment, filter) == null) {
      bytes += weight(filter);
    }
  }

  /** Removes the filters of all other segments. */
  synchronized void retain(Set<String> segments) {
    if (known.size() > segments.size() + GONE_MAX || bytes > bytesMax / 2) {
      known.keySet().retainAll(segments);
      bytes = known.values().stream().mapToLong(SegmentFilters::weight).sum();
    }
  }

  synchronized long bytes() {
    return bytes;
  }

  private static long weight(Bloom filter) {
    return (long) filter.bytes() + BYTES_BESIDE;
  }
}
