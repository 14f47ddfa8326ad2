package io.belfry.store.embedded;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;

/**
 * An open RocksDB with everything native that belongs to it, all of it bounded, closed in the reverse order.
 *
 * <p>Threading: RocksDB is safe; opening and closing are the owner's.
 */
final class NativeHandles implements AutoCloseable {
  private final Deque<AutoCloseable> closing = new ArrayDeque<>();
  private final RocksDB db;

  private NativeHandles(Path directory, long memoryBytes, boolean create) throws RocksDBException {
    try {
      Cache cache = keep(new LRUCache(memoryBytes));
      DBOptions options = options(memoryBytes, cache).setCreateIfMissing(create);
      var descriptor = new ColumnFamilyDescriptor(
          RocksDB.DEFAULT_COLUMN_FAMILY, columnOptions(memoryBytes, cache));
      var handles = new ArrayList<ColumnFamilyHandle>();
      db = keep(RocksDB.open(options, directory.toString(), List.of(descriptor), handles));
      handles.forEach(this::keep);
    } catch (RocksDBException | RuntimeException e) {
      close();
      throw e;
    }
  }

  static NativeHandles open(Path directory, long memoryBytes, boolean create)
      throws RocksDBException {
    return new NativeHandles(directory, memoryBytes, create);
  }

  RocksDB db() {
    return db;
  }

  private DBOptions options(long memoryBytes, Cache cache) {
    var buffers = keep(new WriteBufferManager(memoryBytes / 2, cache));
    var unnamed = new Properties();
    unnamed.setProperty("track_and_verify_wals_in_manifest", "true");
    DBOptions options = keep(DBOptions.getDBOptionsFromProps(unnamed));
    return options
        .setParanoidChecks(true)
        .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
        .setMaxTotalWalSize(memoryBytes / 2)
        .setWriteBufferManager(buffers)
        .setMaxBackgroundJobs(2)
        .setMaxOpenFiles(256)
        .setBytesPerSync(1 << 20)
        .setMaxBgErrorResumeCount(0)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(1 << 20)
        .setKeepLogFileNum(4)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0)
        .setMaxManifestFileSize(16 << 20);
  }

  private ColumnFamilyOptions columnOptions(long memoryBytes, Cache cache) {
    var table = new BlockBasedTableConfig()
        .setBlockCache(cache)
        .setBlockSize(16 << 10)
        .setCacheIndexAndFilterBlocks(true)
        .setCacheIndexAndFilterBlocksWithHighPriority(true)
        .setPinL0FilterAndIndexBlocksInCache(true)
        .setFilterPolicy(keep(new BloomFilter(10)));
    return keep(new ColumnFamilyOptions())
        .setTableFormatConfig(table)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setWriteBufferSize(memoryBytes / 8)
        .setMaxWriteBufferNumber(3);
  }

  private <T extends AutoCloseable> T keep(T one) {
    closing.push(one);
    return one;
  }

  @Override
  public void close() {
    while (!closing.isEmpty()) {
      AutoCloseable one = closing.pop();
      try {
        one.close();
      } catch (Exception e) {
        throw new IllegalStateException("Closing a part of RocksDB failed: " + one, e);
      }
    }
  }
}
