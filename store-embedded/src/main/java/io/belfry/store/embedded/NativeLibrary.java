package io.belfry.store.embedded;

import io.belfry.store.StoreException;
import org.rocksdb.RocksDB;

/** RocksDB's native part, which must be unpacked to a file and loaded from there. */
final class NativeLibrary {
  private NativeLibrary() {}

  static void load() {
    try {
      RocksDB.loadLibrary();
    } catch (RuntimeException | LinkageError e) {
      throw new StoreException.Denied(
          "The embedded store needs RocksDB's native library, but it could not be loaded: "
              + e.getMessage() + ". It is unpacked to java.io.tmpdir, which is "
              + System.getProperty("java.io.tmpdir")
              + " and must exist, be writable and not be mounted noexec. Set the environment variable"
              + " ROCKSDB_SHAREDLIB_DIR to a directory that is, or choose an etcd or Redis store.",
          e);
    }
  }
}
