package io.belfry.store.embedded;

import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Holds every write back until it is let through. Threading: safe. */
final class HoldingDisk implements Disk {
  final Semaphore arrived = new Semaphore(0);
  final Semaphore allowed = new Semaphore(0);
  final AtomicInteger writes = new AtomicInteger();
  final AtomicInteger unsynced = new AtomicInteger();
  volatile boolean holding;

  @Override
  public void write(RocksDB db, WriteOptions synced, WriteBatch batch) throws RocksDBException {
    writes.incrementAndGet();
    if (!synced.sync() || synced.disableWAL()) {
      unsynced.incrementAndGet();
    }
    if (holding) {
      arrived.release();
      allowed.acquireUninterruptibly();
    }
    Disk.REAL.write(db, synced, batch);
  }

  @Override
  public long usableBytes(Path directory) {
    return Long.MAX_VALUE / 2;
  }
}
