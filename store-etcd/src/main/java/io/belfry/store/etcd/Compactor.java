package io.belfry.store.etcd;

import com.google.protobuf.ByteString;
import io.belfry.model.time.Time;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.proto.CompactionRequest;
import io.belfry.store.etcd.proto.Compare;
import io.belfry.store.etcd.proto.KVGrpc;
import io.belfry.store.etcd.proto.PutRequest;
import io.belfry.store.etcd.proto.RangeResponse;
import io.belfry.store.etcd.proto.RequestOp;
import io.belfry.store.etcd.proto.TxnRequest;
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
 * <p>Threading: one round at a time, on the timer and on gRPC's threads in turn.
 */
final class Compactor {
  private static final Logger log = LoggerFactory.getLogger(Compactor.class);
  /** 60 s of history kept: a look every 10 s. */
  private static final int LOOKS_PER_KEEP = 6;

  private record Sample(long nanos, long revision) {}

  private final Calls calls;
  private final Reads reads;
  private final Time time;
  private final Duration keep;
  private final Duration every;
  private final ByteString record;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();
  private long lastLook = -1;

  Compactor(Calls calls, Reads reads, Names names, Time time, Duration keep) {
    this.calls = calls;
    this.reads = reads;
    this.time = time;
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
        log.warn("etcd could not be compacted; its space fills up if this lasts.", problem);
      }
      start(timer);
    });
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
    return reads.ask(List.of(Txns.readRevision(record))).thenCompose(answer -> {
      samples.add(new Sample(time.nanos(), answer.txn().getHeader().getRevision()));
      RangeResponse range = answer.txn().getResponses(0).getResponseRange();
      long found = range.getKvsCount() == 0 ? 0 : range.getKvs(0).getModRevision();
      boolean nobodyElse = found == lastLook;
      lastLook = found;
      long upTo = oldEnough();
      return nobodyElse && upTo > 0
          ? claim(found).thenCompose(mine -> mine ? compact(upTo) : no())
          : no();
    });
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
    CompactionRequest request = CompactionRequest.newBuilder().setRevision(upTo).build();
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
