package io.belfry.store.embedded;

import io.belfry.store.Revision;
import java.nio.ByteBuffer;

/**
 * Where the data set stands; part of every batch, so that it is never ahead of the entries nor behind them.
 *
 * @param revision of the last step
 * @param leasesGranted so far: lease ids are never given out twice
 * @param sum over all live entries, of their names and revisions: what RocksDB shows when it opens must add up to it
 */
record DataSetHead(long revision, long leasesGranted, long sum) {
  private static final int BYTES = 3 * Long.BYTES;

  static final DataSetHead FIRST = new DataSetHead(Revision.of(1, 0), 0, 0);

  static DataSetHead of(byte[] stored) {
    var from = ByteBuffer.wrap(stored);
    return new DataSetHead(from.getLong(), from.getLong(), from.getLong());
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(revision)
        .putLong(leasesGranted)
        .putLong(sum)
        .array();
  }

  long epoch() {
    return Revision.epoch(revision);
  }

  DataSetHead nextEpoch() {
    return new DataSetHead(
        Revision.of(epoch() + 1, Revision.counter(revision)), leasesGranted, sum);
  }
}
