package io.belfry.store.embedded;

import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Committer;
import io.belfry.store.Lease;
import io.belfry.store.LogLimiter;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import io.belfry.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does one thing after another: judge, write, sync, and only then remember and tell.
 *
 * <p><b>When a write fails</b>, what is on the disk is not known, and RocksDB takes no further writes. The way out is to
 * open the database again: recovery shows whether the batch is there. If that is possible at once, its callers get a
 * definite answer, either way. If not, because the disk is full, they hear <em>unknown</em>; later commits hear
 * <em>full</em>, reads go on with the database as it stands, and opening is tried at every tick until it succeeds.
 *
 * <p>Threading: confined to the writer, except {@link #renewAtOnce}.
 */
final class CommitWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CommitWriter.class);
  private static final int TICKS_BETWEEN_FAILED_MENDS = 10;

  private final Database database;
  private final ChangeFeed feed;
  private final Time time;
  private final long roomBytes;
  private final LogLimiter limiter;
  private final DiskReserve reserve;
  /** Replaced by the writer; other threads only renew leases of it. */
  private volatile State state;
  /** Why nothing can be written; null while all is well. */
  private @Nullable StoreException broken;

  private long tickedAt;
  private int ticksToWait;
  private boolean shortOfRoom;

  CommitWriter(Database database, State state, ChangeFeed feed, Time time, long roomBytes) {
    this.database = database;
    this.state = state;
    this.feed = feed;
    this.time = time;
    this.roomBytes = roomBytes;
    this.limiter = LogLimiter.everyMinute(time);
    this.reserve = new DiskReserve(database.path(), roomBytes, limiter);
    this.tickedAt = time.nanos();
  }

  /**
   * Ends the leases that the process before left behind. One process holds the directory at a time, so whoever held them is gone. Before anybody
   * can ask for anything; where it cannot be written, the leases begin again with their full time instead.
   */
  void endLeasesOfBefore() {
    List<Long> left = state.leases.all();
    if (left.isEmpty()) {
      return;
    }
    try {
      end(left);
      LOG.info(
          "The store in {} ended {} leases of the process that had it open before.",
          database.path(),
          left.size());
    } catch (StoreException e) {
      LOG.warn(
          "{} leases of the process that had the store in {} open before could not be ended, and begin again: {}",
          left.size(),
          database.path(),
          e.getMessage());
    }
  }

  /** What became of a batch: outcomes, or what {@link Committer} needs to know of one that was carried out in part. */
  record Result(List<Outcome> outcomes, Optional<Committer.PartlyDone> partly) {
    static Result of(List<Outcome> outcomes) {
      return new Result(outcomes, Optional.empty());
    }
  }

  /** Several batches with one sync. Without room for all of them, only what helps to make room is carried out. */
  List<Result> batches(List<List<Commit>> batches) {
    endLeases();
    requireWhole();
    BatchWork work = work(batches);
    var results = new ArrayList<Result>(batches.size());
    for (List<Commit> batch : batches) {
      var ofBatch = new ArrayList<Outcome>(batch.size());
      for (Commit commit : batch) {
        ofBatch.add(work.commit(commit));
      }
      results.add(Result.of(ofBatch));
    }
    if (work.changed()) {
      if (isShortOfRoom(work) && work.puts()) {
        return onlyWhatMakesRoom(batches);
      }
      write(work);
    }
    return results;
  }

  /**
   * What only deletes, and what an election writes: of all that is in the store, the history of finished tasks grows most, and only a leader
   * forgets it. Deletes may use up the reserve; an election, which may be repeated for long, must leave its room to them.
   */
  private List<Result> onlyWhatMakesRoom(List<List<Commit>> batches) {
    StoreException full = Failures.full(database.path(), null);
    long spare = database.usableBytes() - reserve.sizeBytes();
    BatchWork work = new BatchWork(state, 16, 1024);
    var results = new ArrayList<Result>(batches.size());
    for (List<Commit> batch : batches) {
      var outcomes = new ArrayList<Optional<Outcome>>(batch.size());
      for (Commit commit : batch) {
        boolean deletes = commit.writes().stream().allMatch(Write.Delete.class::isInstance);
        boolean spared = commit.evenIfFull() && work.bytes() + commit.bytes() < spare;
        outcomes.add(deletes || spared ? Optional.of(work.commit(commit)) : Optional.empty());
      }
      results.add(new Result(List.of(), Optional.of(new Committer.PartlyDone(outcomes, full))));
    }
    if (work.changed()) {
      write(work);
    }
    return results;
  }

  private BatchWork work(List<List<Commit>> batches) {
    int writes = 0;
    long bytes = 64;
    for (List<Commit> batch : batches) {
      for (Commit commit : batch) {
        writes += commit.writes().size();
        bytes += commit.bytes();
      }
    }
    return new BatchWork(state, writes, (int) Math.min(bytes + 32L * writes, 64 << 20));
  }

  Lease grant(Duration ttl) {
    endLeases();
    requireWhole();
    BatchWork work = new BatchWork(state, 0, 128);
    long id = work.grant(ttl.toNanos());
    if (isShortOfRoom(work) && work.puts()) {
      throw Failures.full(database.path(), null);
    }
    write(work);
    return new Lease(id, ttl);
  }

  /** Renews a lease without waiting for the writer, where that is possible. Threading: safe. */
  boolean renewAtOnce(long lease) {
    return state.leases.renewAtOnce(lease, time);
  }

  boolean renew(long lease) {
    endLeases();
    if (broken != null && state.leases.isOver(lease, time.nanos())) {
      throw broken; // its end may be on the disk already
    }
    return state.leases.renew(lease, time);
  }

  void revoke(long lease) {
    endLeases();
    requireWhole();
    if (state.leases.contains(lease)) {
      end(List.of(lease));
    }
  }

  void tickWhenDue() {
    if (time.nanos() - tickedAt >= Writer.TICK.toNanos()) {
      tick();
    }
  }

  /** What is to be done even when nobody asks for anything. */
  void tick() {
    tickedAt = time.nanos();
    if (roomBytes > 0) {
      reserve.look(database.usableBytes());
    }
    if (broken != null && !(broken instanceof StoreException.Damaged) && --ticksToWait < 0) {
      mend();
    }
    endLeases();
  }

  private void endLeases() {
    if (state.leases.isEmpty()) {
      state.leases.look(time.nanos());
      return;
    }
    List<Long> over = state.leases.ended(time);
    if (!over.isEmpty() && broken == null) {
      try {
        end(over);
      } catch (StoreException e) {
        boolean unused = limiter.log(
            "leases",
            more -> LOG.warn(
                "{} leases have ended but that could not be written: {}{}",
                over.size(),
                e.getMessage(),
                more));
      }
    }
  }

  private void end(List<Long> leases) {
    state.leases.ending(leases);
    BatchWork work = new BatchWork(state, 16, 1024);
    leases.forEach(work::end);
    write(work);
  }

  private void requireWhole() {
    if (broken != null) {
      throw broken;
    }
  }

  /** Stops in time: tables and logs need room to be tidied up, and a database that ran into the wall must be mended. */
  private boolean isShortOfRoom(BatchWork work) {
    boolean isShort =
        roomBytes > 0 && database.usableBytes() + reserve.heldBytes() < roomBytes + work.bytes();
    if (isShort != shortOfRoom) {
      shortOfRoom = isShort;
      LOG.warn(
          isShort
              ? "The disk of {} has less than {} bytes left: writes are refused until there is room; deletes go on."
              : "The disk of {} has {} bytes to spare again: writes go on.",
          database.path(),
          roomBytes);
    }
    return isShort;
  }

  private void write(BatchWork work) {
    feed.expect(work.head().revision());
    try {
      database.write(work.image());
    } catch (RocksDBException e) {
      settle(work, e);
      return;
    }
    state.apply(work, time.nanos());
    feed.append(work.steps(), state.head().revision());
  }

  private void settle(BatchWork work, RocksDBException cause) {
    boolean unused = limiter.log(
        "write",
        more -> LOG.error(
            "Writing to {} failed; the database is opened again to find out what is on the disk.{}",
            database.path(),
            more,
            cause));
    StoreException why = Failures.of(database.path(), cause);
    broken = why;
    if (!mend()) {
      throw Failures.unknown(database.path(), cause);
    }
    if (!state.head().equals(work.head())) {
      throw why;
    }
  }

  /** After something that should not happen, memory and disk may differ: the disk is right. */
  void distrust(Throwable cause) {
    boolean unused = limiter.log(
        "distrust",
        more -> LOG.error(
            "The store in {} failed unexpectedly and is opened again.{}",
            database.path(),
            more,
            cause));
    broken = new StoreException.Unavailable(
        "The store in " + database.path() + " failed unexpectedly (" + cause
            + ") and has not been opened again yet. It tries by itself.",
        cause);
    ticksToWait = 0;
  }

  /** Opens the database again and believes what is there. Leases begin again, because nobody could renew meanwhile. */
  private boolean mend() {
    if (!database.hasRoomToOpen()) {
      return false;
    }
    DataSetHead before = state.head();
    state.leases.close();
    try {
      state = database.open(time.nanos());
    } catch (StoreException e) {
      boolean unused = limiter.log(
          "open",
          more ->
              LOG.error("The store in {} could not be opened again.{}", database.path(), more, e));
      broken = e;
      ticksToWait = TICKS_BETWEEN_FAILED_MENDS;
      return false;
    }
    broken = null;
    if (!state.head().equals(before)) {
      feed.compact(state.head().revision());
    }
    boolean unused = limiter.log(
        "opened", more -> LOG.info("The store in {} is open again.{}", database.path(), more));
    return true;
  }
}
