package io.belfry.bench.store;

import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.embedded.EmbeddedSettings;
import io.belfry.store.embedded.EmbeddedStore;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB with a synced log: through the store, and directly in batches of all outstanding records. */
record EmbeddedSubject(Path folder, Store store) implements Subject {

  static EmbeddedSubject open() throws Exception {
    Path folder = Files.createTempDirectory("belfry-bench-");
    return new EmbeddedSubject(
        folder, EmbeddedStore.open(EmbeddedSettings.of(folder.resolve("store"))));
  }

  @Override
  public String name() {
    return "embedded";
  }

  @Override
  public OptionalLong engine() {
    return OptionalLong.empty();
  }

  /** Only one process can open the folder. */
  @Override
  public Store another() {
    return store;
  }

  @Override
  public List<Space> spaces() {
    return List.of(PLAIN, ORDERED_AND_WATCHED);
  }

  @Override
  public int goal(Space space) {
    return 60_000;
  }

  @Override
  public RawEngine raw(Space space) throws RocksDBException {
    return new RawRocks(folder.resolve("raw-" + space));
  }

  @Override
  public void close() throws Exception {
    store.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static final class RawRocks implements RawEngine {
    private static final int BATCH_MAX = 1_000;
    private final Options options = new Options().setCreateIfMissing(true);
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final RocksDB db;
    private long number;

    RawRocks(Path folder) throws RocksDBException {
      db = RocksDB.open(options, folder.toString());
    }

    @Override
    public double perSecond(int outstanding, Duration length) throws RocksDBException {
      var watch = new MeasuredInterval(length);
      byte[] value = new byte[Callers.RECORD_BYTES];
      long records = 0;
      while (watch.lasts()) {
        try (WriteBatch batch = new WriteBatch()) {
          for (int i = 0; i < Math.min(outstanding, BATCH_MAX); i++) {
            batch.put(ByteBuffer.allocate(8).putLong(++number).array(), value);
            records++;
          }
          db.write(synced, batch);
        }
      }
      return records / watch.seconds();
    }

    @Override
    public void close() {
      db.close();
      synced.close();
      options.close();
    }
  }
}
