package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Forgotten;
import io.belfry.core.record.Records;
import io.belfry.core.record.SegmentHead;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps all segments together within a number of bytes: the oldest are deleted early.
 *
 * <pre>
 *   heads, newest first ──▶ their sizes are added up ──▶ every segment beyond the limit is deleted
 * </pre>
 *
 * <p>The limit is {@link RetainSettings#historyBytes}. Besides, history shrinks when the engine fills up: from {@value #FULL_PERCENT} % on it
 * is limited to nine tenths of its size at that time, and to a tenth less for each {@value #STEP_PERCENT} % by which the engine fills further.
 * An engine whose files do not shrink reuses the space, so that suffices. An engine that stays nearly full, from {@value #NO_ROOM_PERCENT} %
 * on, has no space to reuse: there a tenth is deleted in each round, down to {@link #LEAST_BYTES}.
 *
 * <p>How far history was deleted early is stored ({@link Keys#DROPPED_EARLY}), logged and counted.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class ByteTrimming {
  static final int FULL_PERCENT = 70;
  static final int STEP_PERCENT = 3;
  static final int NO_ROOM_PERCENT = 90;
  /** Kept in any case: an engine that is still full is full of other data. */
  static final long LEAST_BYTES = 1L << 20;

  static final Duration ROUND = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(ByteTrimming.class);
  private static final int HEADS_AT_ONCE = 100;
  /** A merged segment is deleted within an hour or two, and its expiry key is not known here. */
  private static final int BYTES_BESIDE = 300;

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final EarlyDrop drop;
  private final SkippedRecords passedOver;
  private final RetainCounts counts;
  private final BooleanSupplier leads;
  private final long most;
  private long bound;
  private double reached = FULL_PERCENT / 100.0;
  /** The monotonic time at which the engine's fullness last lowered the limit. */
  private long loweredAt;

  private boolean busy;
  private Optional<Long> lastRound = Optional.empty();
  private long total;
  private long dropped;
  private long newestDropped;

  ByteTrimming(
      Loop loop,
      Store store,
      TermWrites writes,
      RetainSettings settings,
      SkippedRecords passedOver,
      RetainCounts counts,
      BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.drop = new EarlyDrop(loop, store, writes, leads);
    this.passedOver = passedOver;
    this.counts = counts;
    this.leads = leads;
    this.most = settings.historyBytes();
    this.bound = most;
  }

  void look() {
    long now = loop.time().nanos();
    boolean rests = lastRound.filter(at -> now - at < ROUND.toNanos()).isPresent();
    if (busy || rests || !leads.getAsBoolean()) {
      return;
    }
    busy = true;
    lastRound = Optional.of(now);
    total = 0;
    dropped = 0;
    newestDropped = Long.MIN_VALUE;
    read(Scan.all(Keys.SEGMENT_HEADS).limit(HEADS_AT_ONCE));
  }

  /** Adapts the limit after a round has measured the history; the next round applies it. */
  private void adapt(Status status) {
    long now = loop.time().nanos();
    boolean staysFull = bound < most
        && status.fullness() >= NO_ROOM_PERCENT / 100.0
        && now - loweredAt >= ROUND.toNanos();
    if (status.fullness() >= reached || staysFull) {
      bound = Math.min(most, Math.max(LEAST_BYTES, total - total / 10));
      reached = status.fullness() + STEP_PERCENT / 100.0;
      loweredAt = now;
      lastRound = Optional.empty();
      LOG.warn(
          "The engine is {} % full: the history of this namespace is limited to {} bytes from now on, and its oldest part is deleted early. Give the engine more space, or shorten retain.",
          Math.round(status.fullness() * 100), bound);
    } else if (status.fullness() < (FULL_PERCENT - 10) / 100.0) {
      bound = most;
      reached = FULL_PERCENT / 100.0;
    }
  }

  private void read(Scan scan) {
    loop.onResult(store.scan(scan), this::took, failure -> busy = false);
  }

  private void took(Page page) {
    Deque<EarlyDrop.Old> old = new ArrayDeque<>();
    for (Entry entry : page.entries()) {
      passedOver.read(entry, ByteTrimming::head).ifPresent(head -> {
        long weight = (long) head.bytes() + entry.value().length + BYTES_BESIDE;
        if (total + weight <= bound || head.isElsewhere()) {
          total += weight;
        } else {
          String name = entry.key().text();
          old.add(new EarlyDrop.Old(name, entry, head.until(), head.rated() > 0));
          newestDropped = Math.max(newestDropped, head.lastEnd());
        }
      });
    }
    int count = old.size();
    drop.send(
        old,
        () -> {
          dropped += count;
          page.next().ifPresentOrElse(this::read, this::ends);
        },
        () -> busy = false);
  }

  /** The head, if the segment's name is valid, too. */
  private static SegmentHead head(Entry entry) {
    long unused = SegmentKeys.end(entry.key().text());
    return Records.segmentHead(entry.value());
  }

  private void ends() {
    counts.historyBytes.set(total);
    loop.onResult(
        store.status(),
        status -> {
          adapt(status);
          busy = false;
        },
        failure -> busy = false);
    if (dropped == 0 || !leads.getAsBoolean()) {
      return;
    }
    counts.segmentsDroppedEarly.addAndGet(dropped);
    LOG.warn(
        "The history of this namespace exceeded {} bytes: {} segments of finished tasks were deleted early, with tasks that ended up to {}. Raise retain.bytes, or keep tasks for a shorter time.",
        bound,
        dropped,
        Instant.ofEpochMilli(newestDropped));
    Commit.Builder commit = writes.commit();
    commit.put(Keys.DROPPED_EARLY, Records.encode(new Forgotten(newestDropped)));
    writes.send(commit, done -> {}, refused -> {}, notTaken -> {});
  }
}
