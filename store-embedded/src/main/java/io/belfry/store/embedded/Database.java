package io.belfry.store.embedded;

import io.belfry.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB that can be closed and opened again under its readers. After a failed write RocksDB itself does not know what
 * is on the disk; opening it again is how to find out.
 *
 * <p>Threading: {@link #read} from any thread; the rest is the writer's.
 */
final class Database implements AutoCloseable {
  /** A question that is asked while the database cannot be closed. */
  @FunctionalInterface
  interface Question<T> {
    T ask(RocksDB db) throws RocksDBException;
  }

  private final EmbeddedSettings settings;
  private final DataDirectory directory;
  private final Disk disk;
  private final LongSupplier chance;
  private final ReentrantReadWriteLock openness = new ReentrantReadWriteLock();
  private @Nullable NativeHandles natives;

  Database(EmbeddedSettings settings, DataDirectory directory, Disk disk, LongSupplier chance) {
    this.settings = settings;
    this.directory = directory;
    this.disk = disk;
    this.chance = chance;
  }

  Path path() {
    return directory.path();
  }

  /** Opens the data set, begins it when there is none, and reads all of it. Safe to repeat after a failure. */
  State open(long now) {
    openness.writeLock().lock();
    try {
      close();
      boolean fresh = directory.isFresh();
      directory.check();
      natives = NativeHandles.open(path(), settings.memoryBytes(), fresh);
      return load(natives.db(), now);
    } catch (IOException e) {
      close();
      throw new StoreException.Unavailable(
          "The files of the store in " + path() + " cannot be read: " + e
              + ". Check the disk and the rights of the account that runs Belfry.",
          e);
    } catch (RocksDBException e) {
      close();
      throw Failures.of(path(), e);
    } catch (RuntimeException e) {
      close();
      throw e;
    } finally {
      openness.writeLock().unlock();
    }
  }

  private State load(RocksDB db, long now) throws RocksDBException {
    if (isEmpty(db)) {
      var first = new BatchImage(64);
      first.put(Layout.FORMAT, Format.write(new KeyedHash(chance.getAsLong())));
      first.put(Layout.HEAD, DataSetHead.FIRST.toBytes());
      write(first.toBytes());
    }
    return State.load(db, path(), now);
  }

  private static boolean isEmpty(RocksDB db) throws RocksDBException {
    try (var each = db.newIterator()) {
      each.seekToFirst();
      each.status();
      return !each.isValid();
    }
  }

  /** One batch, one sync. When it throws, what is on the disk is not known. */
  void write(byte[] image) throws RocksDBException {
    if (natives == null) {
      throw new IllegalStateException("The database is written to only while it is open.");
    }
    try (var synced = new WriteOptions().setSync(true);
        var batch = new WriteBatch(image)) {
      disk.write(natives.db(), synced, batch);
    }
  }

  <T> T read(Question<T> question) {
    openness.readLock().lock();
    try {
      if (natives == null) {
        throw new StoreException.Unavailable(
            "The store in " + path()
                + " is closed after a failure of the disk and has not been opened again yet. It tries by itself.",
            null);
      }
      return question.ask(natives.db());
    } catch (RocksDBException e) {
      throw Failures.of(path(), e);
    } finally {
      openness.readLock().unlock();
    }
  }

  long usableBytes() {
    return disk.usableBytes(path());
  }

  /** Whether opening, which writes the content of the logs into tables, has the room it needs. */
  boolean hasRoomToOpen() {
    try {
      return usableBytes() > directory.logBytes() + EmbeddedSettings.MIB;
    } catch (IOException e) {
      return false; // a directory that cannot even be listed has none
    }
  }

  /** Bytes of everything in the directory. */
  long occupiedBytes() {
    try (var files = Files.list(path())) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new StoreException.Unavailable(
          "The directory " + path() + " cannot be listed: " + e + ". Check the disk.", e);
    }
  }

  @Override
  public void close() {
    openness.writeLock().lock();
    try {
      if (natives != null) {
        natives.close();
        natives = null;
      }
    } finally {
      openness.writeLock().unlock();
    }
  }
}
