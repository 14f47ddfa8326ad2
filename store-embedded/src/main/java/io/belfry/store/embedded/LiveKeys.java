package io.belfry.store.embedded;

import io.belfry.store.Revision;

/**
 * The revision of every live key, so that a guard needs no read: about 65 bytes for a key of 30, exact, and no object
 * per key for the garbage collector to visit. Divided into segments, so that growing copies a little at a time
 * instead of everything at once.
 *
 * <p>Threading: confined to the writer.
 */
final class LiveKeys {
  private static final int SEGMENT_BITS = 8;

  private final LiveSegment[] segments = new LiveSegment[1 << SEGMENT_BITS];
  private long size;

  LiveKeys() {
    for (int i = 0; i < segments.length; i++) {
      segments[i] = new LiveSegment();
    }
  }

  /** {@link Revision#NONE} when the key is absent. */
  long revision(byte[] name, long hash) {
    return segment(hash).get(name, (int) hash);
  }

  void put(byte[] name, long hash, long revision) {
    if (segment(hash).put(name, (int) hash, revision) == Revision.NONE) {
      size++;
    }
  }

  void remove(byte[] name, long hash) {
    if (segment(hash).remove(name, (int) hash)) {
      size--;
    }
  }

  long size() {
    return size;
  }

  /** What it occupies, for tests and for people. */
  long bytes() {
    long sum = 0;
    for (LiveSegment segment : segments) {
      sum += segment.bytes();
    }
    return sum;
  }

  private LiveSegment segment(long hash) {
    return segments[(int) (hash >>> (Long.SIZE - SEGMENT_BITS))];
  }
}
