package io.belfry.store.embedded;

import java.nio.file.Path;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** What can fail at any time. Tests put another in its place. Threading: implementations are safe. */
interface Disk {
  /** One synced write: returns once it is on the disk. */
  void write(RocksDB db, WriteOptions synced, WriteBatch batch) throws RocksDBException;

  /** Bytes that may still be written; 0 when that cannot be found out. */
  long usableBytes(Path directory);

  Disk REAL = new Disk() {
    @Override
    public void write(RocksDB db, WriteOptions synced, WriteBatch batch) throws RocksDBException {
      db.write(synced, batch);
    }

    // By the old door on purpose: one system call, where a FileStore reads the list of mounts.
    @Override
    public long usableBytes(Path directory) {
      return directory.toFile().getUsableSpace();
    }
  };
}
