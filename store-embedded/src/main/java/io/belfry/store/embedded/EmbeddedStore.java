package io.belfry.store.embedded;

import io.belfry.model.time.Time;
import io.belfry.store.BatchRule;
import io.belfry.store.Commit;
import io.belfry.store.Committer;
import io.belfry.store.Endpoint;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Limits;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * A {@link Store} in a directory of this machine. One process at a time; every acknowledged commit was synced to the disk
 * before.
 *
 * <p>Threading: safe.
 */
public final class EmbeddedStore implements Store {
  private static final BatchRule BATCHES =
      new BatchRule(1_000, 10_000, Integer.MAX_VALUE, 4 << 20, 64, 16, false);

  private final EmbeddedSettings settings;
  private final DataDirectory directory;
  private final Database database;
  private final ChangeFeed feed;
  private final Answers answers;
  private final Writer writer;
  private final Committer committer;
  private final ReadPool reads = new ReadPool();
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedStore(
      EmbeddedSettings settings,
      DataDirectory directory,
      Database database,
      State state,
      Time time) {
    this.settings = settings;
    this.directory = directory;
    this.database = database;
    this.feed = new ChangeFeed(settings, state.head().revision());
    this.answers = new Answers();
    var scribe = new CommitWriter(database, state, feed, time, settings.roomBytes());
    scribe.endLeasesOfBefore();
    this.writer = new Writer(scribe, answers);
    this.committer = new Committer(BATCHES, writer::batch, time, settings.observer());
  }

  /**
   * Opens the store in the directory of the settings, or begins one there.
   *
   * @throws StoreException.Denied when the directory cannot be used or is in use
   * @throws StoreException.Damaged when what is there is damaged
   * @throws StoreException.Full when there is no room to open it
   */
  public static EmbeddedStore open(EmbeddedSettings settings) {
    return open(settings, Time.system(), Disk.REAL);
  }

  static EmbeddedStore open(EmbeddedSettings settings, Time time, Disk disk) {
    NativeLibrary.load();
    DataDirectory directory = DataDirectory.hold(settings.directory());
    try {
      var database = database(settings, directory, disk);
      return new EmbeddedStore(settings, directory, database, database.open(time.nanos()), time);
    } catch (RuntimeException | Error e) {
      directory.close();
      throw e;
    }
  }

  /**
   * Makes the data set in the directory a later one than any that its users have seen: for a directory that was put back
   * from a copy, before it is opened. Revisions given out after the copy was made will not be given out again, and whoever
   * led then finds that it no longer does.
   *
   * @return the new epoch
   */
  public static long beginEpoch(EmbeddedSettings settings) {
    NativeLibrary.load();
    try (DataDirectory directory = DataDirectory.hold(settings.directory());
        Database database = database(settings, directory, Disk.REAL)) {
      DataSetHead next = database.open(0).head().nextEpoch();
      var batch = new BatchImage(64);
      batch.put(Layout.HEAD, next.toBytes());
      database.write(batch.toBytes());
      return next.epoch();
    } catch (RocksDBException e) {
      throw Failures.unknown(settings.directory(), e);
    }
  }

  private static Database database(EmbeddedSettings settings, DataDirectory directory, Disk disk) {
    LongSupplier chance = new SecureRandom()::nextLong;
    return new Database(settings, directory, disk, chance);
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    return committer.commit(commit);
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    List<Key> wanted = List.copyOf(Limits.checkedKeys(keys));
    return reads.ask(() -> database.read(db -> Reads.get(db, wanted)));
  }

  @Override
  public CompletionStage<Page> scan(Scan scan) {
    return reads.ask(() -> database.read(db -> Reads.scan(db, scan)));
  }

  @Override
  public CompletionStage<Lease> grant(Duration ttl) {
    Duration checked = Lease.checked(ttl);
    return writer.order(scribe -> scribe.grant(checked));
  }

  @Override
  public CompletionStage<Boolean> renew(long lease) {
    return writer.renew(lease);
  }

  @Override
  public CompletionStage<Void> revoke(long lease) {
    return writer.<@Nullable Void>order(scribe -> {
      scribe.revoke(lease);
      return null;
    });
  }

  @Override
  public Watch watch(Feed what, long after, Watcher watcher) {
    return feed.open(what, after, watcher);
  }

  @Override
  public CompletionStage<Status> status() {
    return reads.ask(() -> new Status(
        "embedded",
        "RocksDB " + RocksDB.rocksdbVersion(),
        "synced to this machine's disk before it is acknowledged; there is no copy on another machine",
        fullness(),
        database.read(Reads::revision)));
  }

  private double fullness() {
    double ours = database.occupiedBytes();
    double free = Math.max(0, database.usableBytes() - settings.roomBytes());
    return ours / Math.max(1, ours + free);
  }

  @Override
  public Set<Endpoint> endpoints() {
    return Set.of();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    committer.close();
    writer.close();
    answers.close();
    reads.close();
    feed.close();
    database.close();
    directory.close();
  }

  /** As if so much had happened that the feed no longer reaches back. */
  void forgetFeed() {
    feed.forget();
  }

  /** Looks at the leases now, and mends what is broken, instead of at the next tick. */
  CompletionStage<Void> tick() {
    return writer.<@Nullable Void>order(scribe -> {
      scribe.tick();
      return null;
    });
  }
}
