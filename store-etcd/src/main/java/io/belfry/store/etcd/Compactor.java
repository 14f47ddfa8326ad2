package io.belfry.store.etcd;

import com.google.protobuf.ByteString;
import io.belfry.model.time.Time;
import io.belfry.store.LogLimiter;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.proto.CompactionRequest;
import io.belfry.store.etcd.proto.Compare;
import io.belfry.store.etcd.proto.DeleteRangeRequest;
import io.belfry.store.etcd.proto.KVGrpc;
import io.belfry.store.etcd.proto.PutRequest;
import io.belfry.store.etcd.proto.RangeResponse;
import io.belfry.store.etcd.proto.RequestOp;
import io.belfry.store.etcd.proto.TxnRequest;
import io.belfry.store.etcd.proto.TxnResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts the history of a dedicated etcd. Every store of the namespace looks six times per stretch that is kept; whoever finds that
 * nobody wrote the compactor's record since its last look writes it and compacts. Nobody's clock is compared
 * with another's, and two at once would only do the same twice.
 *
 * <p>When etcd is full it takes no record. Whoever compacts then takes the record away instead, compacts all history, and ends the alarm
 * ({@link SpaceAlarm}).
 *
 * <p>Threading: one round at a time, on the timer and on gRPC's threads in turn.
 */
final class Compactor {
  private static final Logger log = LoggerFactory.getLogger(Compactor.class);
  /** 60 s of history kept: a look every 10 s. */
  private static final int LOOKS_PER_KEEP = 6;

  private record Sample(long nanos, long revision) {}

  private final Calls calls;
  private final Reads reads;
  private final SpaceAlarm alarm;
  private final Time time;
  private final LogLimiter limiter;
  private final Duration keep;
  private final Duration every;
  private final ByteString record;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();
  private long lastLook = -1;

  Compactor(
      Calls calls,
      Reads reads,
      SpaceAlarm alarm,
      Names names,
      Time time,
      Duration keep,
      LogLimiter limiter) {
    this.calls = calls;
    this.reads = reads;
    this.alarm = alarm;
    this.time = time;
    this.limiter = limiter;
    this.keep = keep;
    this.every = keep.dividedBy(LOOKS_PER_KEEP);
    this.record = names.own("compactor");
  }

  void start(ScheduledExecutorService timer) {
    var unused = timer.schedule(() -> roundAndAgain(timer), every.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void roundAndAgain(ScheduledExecutorService timer) {
    var unused = guardedRound().whenComplete((compacted, problem) -> {
      if (problem != null) {
        failed(problem);
      }
      start(timer);
    });
  }

  private void failed(Throwable problem) {
    boolean unused = limiter.log(
        "etcd compaction",
        more -> log.warn(
            "etcd could not be compacted; its space fills up if this lasts. Reason: {}{}",
            Calls.surface(problem).getMessage(),
            more));
  }

  /** Whatever is thrown, the next round comes. */
  private CompletableFuture<Boolean> guardedRound() {
    try {
      return round();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Whether this round compacted. */
  CompletableFuture<Boolean> round() {
    return alarm
        .isUp()
        .thenCompose(up -> reads.ask(List.of(Txns.readRevision(record))).thenCompose(answer -> {
          long present = answer.txn().getHeader().getRevision();
          samples.add(new Sample(time.nanos(), present));
          RangeResponse range = answer.txn().getResponses(0).getResponseRange();
          long found = range.getKvsCount() == 0 ? 0 : range.getKvs(0).getModRevision();
          boolean nobodyElse = found == lastLook;
          boolean takenJustNow = found == 0 && lastLook > 0;
          lastLook = found;
          long upTo = oldEnough();
          if (up) {
            return takenJustNow // by another store, which is making room now
                ? no()
                : claimFull(found).thenCompose(mine -> mine ? makeRoom(present) : no());
          }
          return nobodyElse && upTo > 0
              ? claim(found).thenCompose(mine -> mine ? compact(upTo) : no())
              : no();
        }));
  }

  /** Physically, so that defragmenting finds the room. Watches that were behind must scan again. */
  private CompletableFuture<Boolean> makeRoom(long upTo) {
    CompactionRequest request =
        CompactionRequest.newBuilder().setRevision(upTo).setPhysical(true).build();
    return compact(request).thenCompose(compacted -> alarm.end());
  }

  /** A full etcd takes deletes only: the record is taken away. Where there was none before, whoever took it did not succeed, or nobody ever compacted. */
  private CompletableFuture<Boolean> claimFull(long found) {
    if (found == 0) {
      return CompletableFuture.completedFuture(true);
    }
    TxnRequest txn = TxnRequest.newBuilder()
        .addCompare(Txns.compareMod(record, Compare.CompareResult.EQUAL, found))
        .addSuccess(RequestOp.newBuilder()
            .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(record)))
        .build();
    lastLook = 0;
    return calls
        .ask(KVGrpc.getTxnMethod(), txn, Repeat.IF_NOT_SENT)
        .thenApply(TxnResponse::getSucceeded);
  }

  /** The latest revision that is older than what is to be kept; 0 while there is none. */
  private long oldEnough() {
    long upTo = 0;
    long now = time.nanos();
    while (!samples.isEmpty() && now - samples.getFirst().nanos >= keep.toNanos()) {
      upTo = samples.removeFirst().revision;
    }
    return upTo;
  }

  private CompletableFuture<Boolean> claim(long found) {
    TxnRequest txn = TxnRequest.newBuilder()
        .addCompare(Txns.compareMod(record, Compare.CompareResult.EQUAL, found))
        .addSuccess(RequestOp.newBuilder().setRequestPut(PutRequest.newBuilder().setKey(record)))
        .build();
    return calls.ask(KVGrpc.getTxnMethod(), txn, Repeat.IF_NOT_SENT).thenApply(answer -> {
      if (answer.getSucceeded()) {
        lastLook = answer.getHeader().getRevision();
      }
      return answer.getSucceeded();
    });
  }

  private CompletableFuture<Boolean> compact(long upTo) {
    return compact(CompactionRequest.newBuilder().setRevision(upTo).build());
  }

  private CompletableFuture<Boolean> compact(CompactionRequest request) {
    return calls
        .ask(KVGrpc.getCompactMethod(), request, Repeat.FREELY)
        .thenApply(answer -> true)
        .exceptionallyCompose(failure -> Calls.kindOf(failure) == Failure.Kind.COMPACTED
            ? no()
            : CompletableFuture.failedFuture(failure));
  }

  private static CompletableFuture<Boolean> no() {
    return CompletableFuture.completedFuture(false);
  }
}
