package io.belfry.store.embedded;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A disk that fails on command. Threading: safe. */
final class FailingDisk implements Disk {
  enum Mode {
    WORKING,
    /** The write is refused. */
    FULL,
    /** The write happens, but its sync is reported as failed. */
    FAILS_AFTER_WRITING,
    /** The device reports an error. */
    BROKEN,
    /** Nobody expects what happens when it is asked for its room. */
    ABSURD
  }

  private volatile Mode mode = Mode.WORKING;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile long usable = Long.MAX_VALUE / 2;

  void mode(Mode next) {
    mode = next;
  }

  void usable(long bytes) {
    usable = bytes;
  }

  @Override
  public void write(RocksDB db, WriteOptions synced, WriteBatch batch) throws RocksDBException {
    Mode now = mode;
    if (now == Mode.WORKING || now == Mode.FAILS_AFTER_WRITING) {
      Disk.REAL.write(db, synced, batch);
    }
    if (now == Mode.FULL || now == Mode.FAILS_AFTER_WRITING) {
      throw failure(Status.SubCode.NoSpace, "No space left on device");
    }
    if (now == Mode.BROKEN) {
      throw failure(Status.SubCode.None, "IO error: Input/output error");
    }
  }

  private static RocksDBException failure(Status.SubCode code, String said) {
    return new RocksDBException(said, new Status(Status.Code.IOError, code, said));
  }

  /** How often it was asked for its room. */
  int asked() {
    return asked.get();
  }

  @Override
  public long usableBytes(Path directory) {
    asked.incrementAndGet();
    if (mode == Mode.ABSURD) {
      throw new IllegalStateException("as the test wants it");
    }
    return usable;
  }
}
