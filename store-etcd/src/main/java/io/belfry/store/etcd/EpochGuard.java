package io.belfry.store.etcd;

import com.google.protobuf.ByteString;
import io.belfry.store.StoreException;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.EpochRule.Stored;
import io.belfry.store.etcd.EpochRule.Verdict;
import io.belfry.store.etcd.proto.Compare;
import io.belfry.store.etcd.proto.KVGrpc;
import io.belfry.store.etcd.proto.KeyValue;
import io.belfry.store.etcd.proto.PutRequest;
import io.belfry.store.etcd.proto.RangeResponse;
import io.belfry.store.etcd.proto.RequestOp;
import io.belfry.store.etcd.proto.TxnRequest;
import io.belfry.store.etcd.proto.TxnResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that nothing is read or written under another epoch than this client believes in.
 *
 * <pre>
 *   !epoch   "epoch cluster-id", written once per epoch      every transaction compares: unchanged
 *   !tip     overwritten by every batch, with its mark         every transaction compares: not behind what we saw
 * </pre>
 *
 * An etcd that was restored from a backup gives out revisions a second time. A new cluster id betrays it; where the id
 * stayed the same, the tip does: a batch and its tip are one step, so whoever saw an entry of revision r finds the tip at r
 * or later, or the step was taken back. A transaction that writes goes through etcd's log, so its compares prove
 * what a read alone could not.
 *
 * <p>Threading: safe.
 */
final class EpochGuard {
  private static final Logger log = LoggerFactory.getLogger(EpochGuard.class);
  private static final int ROUNDS_MAX = 20;

  /** What a round found: the latest revision that the data set itself proves, and whether there is a data set at all. */
  private record Found(long tip, boolean empty) {}

  private final Calls calls;
  private final ByteString epochKey;
  private final ByteString tipKey;
  private final List<Consumer<EtcdEpoch>> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable EtcdEpoch now;
  /** Of the first round of a settlement; the later ones find what we wrote. */
  private volatile Found found = new Found(0, false);

  private @Nullable CompletableFuture<EtcdEpoch> settling;

  EpochGuard(Calls calls, Names names) {
    this.calls = calls;
    this.epochKey = names.own("epoch");
    this.tipKey = names.own("tip");
  }

  /** Told of every new era, after it is the present one. */
  void listen(Consumer<EtcdEpoch> listener) {
    listeners.add(listener);
  }

  EtcdEpoch now() {
    EtcdEpoch era = now;
    if (era == null) {
      throw new IllegalStateException("No era before the first settle().");
    }
    return era;
  }

  /** What every batch writes besides its commits: {@code mark} is its own. */
  RequestOp tip(ByteString mark) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(tipKey).setValue(mark))
        .build();
  }

  /** @param at which revision; 0: the present */
  RequestOp readTip(long at) {
    return Txns.readAt(tipKey, at);
  }

  /** Adds the compares that let a transaction pass only in {@code era}. */
  void compare(EtcdEpoch era, TxnRequest.Builder txn) {
    txn.addCompare(Txns.compareMod(epochKey, Compare.CompareResult.EQUAL, era.record()));
    long seen = era.seen();
    if (seen > 0) {
      txn.addCompare(Txns.compareMod(tipKey, Compare.CompareResult.GREATER, seen - 1));
    }
  }

  /** Finds out which era it is, and begins a new one where the rule says so. Many callers ask once. */
  synchronized CompletableFuture<EtcdEpoch> settle() {
    CompletableFuture<EtcdEpoch> under = settling;
    if (under == null || under.isDone()) {
      under = round(1).thenApply(this::adopt);
      settling = under;
    }
    return under;
  }

  private CompletableFuture<EtcdEpoch> round(int n) {
    Optional<EtcdEpoch> known = Optional.ofNullable(now);
    long seen = known.map(EtcdEpoch::seen).orElse(0L);
    TxnRequest read = TxnRequest.newBuilder()
        .addSuccess(Txns.read(epochKey))
        .addSuccess(Txns.readRevision(tipKey))
        .build();
    return calls.ask(KVGrpc.getTxnMethod(), read, Repeat.FREELY).thenCompose(got -> {
      Optional<KeyValue> record = first(got.getResponses(0).getResponseRange());
      long tipRevision = first(got.getResponses(1).getResponseRange())
          .map(KeyValue::getModRevision)
          .orElse(0L);
      Optional<Stored> stored =
          record.map(kv -> Stored.parse(kv.getValue().toStringUtf8(), kv.getModRevision()));
      long cluster = got.getHeader().getClusterId();
      boolean wentBack = tipRevision < seen;
      if (n == 1) {
        found = new Found(tipRevision, stored.isEmpty());
      }
      return switch (EpochRule.judge(known, stored, cluster, wentBack)) {
        case Verdict.Adopt adopt -> {
          adopt.era().saw(tipRevision);
          yield CompletableFuture.completedFuture(adopt.era());
        }
        case Verdict.Begin begin -> begin(begin.epoch(), cluster, stored, wentBack ? seen : 0, n);
      };
    });
  }

  /** Whatever becomes of the write, known or not, the next round reads what stands there. */
  private CompletableFuture<EtcdEpoch> begin(
      long epoch, long cluster, Optional<Stored> stored, long behind, int n) {
    if (n == ROUNDS_MAX) {
      return CompletableFuture.failedFuture(new StoreException.Unavailable(
          "The epoch of this namespace in etcd changed " + n
              + " times while it was looked at. Check that all endpoints belong to one cluster.",
          null));
    }
    TxnRequest.Builder txn = TxnRequest.newBuilder()
        .addCompare(Txns.compareMod(
            epochKey, Compare.CompareResult.EQUAL, stored.map(Stored::revision).orElse(0L)))
        .addSuccess(RequestOp.newBuilder()
            .setRequestPut(PutRequest.newBuilder()
                .setKey(epochKey)
                .setValue(ByteString.copyFromUtf8(EpochRule.print(epoch, cluster)))))
        .addSuccess(tip(ByteString.EMPTY));
    if (behind > 0) {
      txn.addCompare(Txns.compareMod(tipKey, Compare.CompareResult.LESS, behind));
    }
    return calls
        .ask(KVGrpc.getTxnMethod(), txn.build(), Repeat.IF_NOT_SENT)
        .thenApply(got -> began(got, epoch, cluster))
        .exceptionallyCompose(failure -> Calls.kindOf(failure) == Failure.Kind.UNKNOWN
            ? CompletableFuture.completedFuture(Optional.empty())
            : CompletableFuture.failedFuture(failure))
        .thenCompose(began ->
            began.isPresent() ? CompletableFuture.completedFuture(began.get()) : round(n + 1));
  }

  private static Optional<EtcdEpoch> began(TxnResponse got, long epoch, long cluster) {
    if (!got.getSucceeded() || got.getHeader().getClusterId() != cluster) {
      return Optional.empty();
    }
    var era = new EtcdEpoch(epoch, cluster, got.getHeader().getRevision());
    era.saw(got.getHeader().getRevision()); // of the tip that was written with it
    return Optional.of(era);
  }

  private EtcdEpoch adopt(EtcdEpoch settled) {
    EtcdEpoch before = now;
    if (before != settled) {
      now = settled;
      if (before != null) {
        warn(before, settled, found);
        listeners.forEach(listener -> listener.accept(settled));
      }
    }
    return settled;
  }

  private static void warn(EtcdEpoch before, EtcdEpoch settled, Found found) {
    long lost = before.seen() - found.tip;
    if (found.empty) {
      log.warn(
          "etcd: the data set is empty (it was deleted, or another cluster answers): everything up to revision {} is gone, jobs, tasks and"
              + " history. From {} to {}. Belfry goes on with what is there; restore a backup, or save the jobs again.",
          before.seen(),
          before,
          settled);
    } else if (lost > 0) {
      log.warn(
          "etcd: the data set went back from revision {} to {}: {} revisions that this process saw are lost (a backup was restored, or"
              + " another cluster answers). What was acknowledged in them is gone, and tasks that ran may run again. From {} to {}."
              + " Everything is read again.",
          before.seen(),
          found.tip,
          lost,
          before,
          settled);
    } else {
      log.warn(
          "etcd: the data set was restored or replaced, by nothing older than what this process saw. From {} to {}. Everything is read"
              + " again.",
          before,
          settled);
    }
  }

  private static Optional<KeyValue> first(RangeResponse range) {
    return range.getKvsList().stream().findFirst();
  }
}
