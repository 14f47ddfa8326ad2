package io.belfry.store.etcd;

import io.belfry.store.Limits;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.etcd.proto.RangeResponse;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How many entries of a space make a page of about {@link Limits#PAGE_BYTES_MAX}, by the entries of its last page.
 *
 * <p>Threading: safe.
 */
final class PageSizes {
  private static final int ENTRIES_AT_FIRST = 32;

  private final ConcurrentMap<String, Integer> entries = new ConcurrentHashMap<>();

  int entries(Scan scan) {
    return Math.min(scan.limit(), entries.getOrDefault(scan.space().name(), ENTRIES_AT_FIRST));
  }

  void saw(Space space, RangeResponse page) {
    if (page.getKvsCount() > 0) {
      long mean = Math.max(1, page.getSerializedSize() / page.getKvsCount());
      long fitting = Limits.PAGE_BYTES_MAX / mean;
      entries.put(space.name(), Math.clamp(fitting, 1, Limits.SCAN_ENTRIES_MAX));
    }
  }
}
