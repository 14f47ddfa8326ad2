package io.belfry.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Write;
import io.belfry.store.etcd.proto.Compare;
import io.belfry.store.etcd.proto.DeleteRangeRequest;
import io.belfry.store.etcd.proto.PutRequest;
import io.belfry.store.etcd.proto.RangeResponse;
import io.belfry.store.etcd.proto.RequestOp;
import io.belfry.store.etcd.proto.TxnRequest;
import io.belfry.store.etcd.proto.TxnResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * A batch as one transaction of etcd, and its answer as outcomes.
 *
 * <pre>
 *   Txn  if epoch unchanged, tip not behind
 *     then  Txn if guards of commit 1  then its writes  else revisions of its guarded keys
 *           Txn if guards of commit 2  then …           else …
 *           a commit of one write and no guard          as it is
 *           put tip, with the mark of the batch
 * </pre>
 *
 * <p>Threading: stateless.
 */
final class BatchCodec {
  private final Names names;
  private final EpochGuard eras;

  BatchCodec(Names names, EpochGuard eras) {
    this.names = names;
    this.eras = eras;
  }

  TxnRequest encode(BatchMarks.Mark mark, List<Commit> batch) {
    return encodeWithoutTip(mark.era(), batch)
        .addSuccess(eras.tip(mark.value()))
        .build();
  }

  /** For a batch that only deletes, which a full etcd takes as long as nothing is put. */
  TxnRequest.Builder encodeWithoutTip(EtcdEpoch era, List<Commit> batch) {
    TxnRequest.Builder outer = TxnRequest.newBuilder();
    eras.compare(era, outer);
    for (Commit commit : batch) {
      outer.addSuccess(
          isPlain(commit)
              ? encode(commit.writes().getFirst())
              : RequestOp.newBuilder().setRequestTxn(encode(era, commit)).build());
    }
    return outer;
  }

  /** One write without a guard needs no transaction of its own: it costs etcd a third less. */
  private static boolean isPlain(Commit commit) {
    return commit.guards().isEmpty() && commit.writes().size() == 1;
  }

  private TxnRequest.Builder encode(EtcdEpoch era, Commit commit) {
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    for (Guard guard : commit.guards()) {
      ByteString key = names.of(guard.key());
      txn.addCompare(compare(era, guard, key));
      txn.addFailure(Txns.readRevision(key));
    }
    for (Write write : commit.writes()) {
      txn.addSuccess(encode(write));
    }
    return txn;
  }

  private static Compare compare(EtcdEpoch era, Guard guard, ByteString key) {
    return switch (guard) {
      case Guard.Absent absent -> Txns.compareMod(key, Compare.CompareResult.EQUAL, 0);
      case Guard.Unchanged unchanged
      when unchanged.revision() == Revision.NONE ->
        Txns.compareMod(key, Compare.CompareResult.EQUAL, 0);
      case Guard.Unchanged unchanged -> unchanged(era, key, unchanged.revision());
      case Guard.Holds holds -> unchanged(era, key, holds.revision());
    };
  }

  private static Compare unchanged(EtcdEpoch era, ByteString key, long revision) {
    return Revision.epoch(revision) == era.epoch()
        ? Txns.compareMod(key, Compare.CompareResult.EQUAL, Revision.counter(revision))
        : Txns.never(key);
  }

  private RequestOp encode(Write write) {
    ByteString key = names.of(write.key());
    return switch (write) {
      case Write.Put put ->
        RequestOp.newBuilder()
            .setRequestPut(PutRequest.newBuilder()
                .setKey(key)
                .setValue(UnsafeByteOperations.unsafeWrap(put.value()))
                .setLease(put.lease()))
            .build();
      case Write.Delete delete ->
        RequestOp.newBuilder()
            .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
            .build();
    };
  }

  List<Outcome> decode(EtcdEpoch era, List<Commit> batch, TxnResponse answer) {
    long revision = era.revision(answer.getHeader().getRevision());
    var outcomes = new ArrayList<Outcome>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      Commit commit = batch.get(i);
      TxnResponse own = answer.getResponses(i).getResponseTxn();
      outcomes.add(
          isPlain(commit) || own.getSucceeded()
              ? new Outcome.Done(revision)
              : refused(era, commit.guards(), own));
    }
    return outcomes;
  }

  private static Outcome refused(EtcdEpoch era, List<Guard> guards, TxnResponse answer) {
    for (int i = 0; i < guards.size(); i++) {
      RangeResponse range = answer.getResponses(i).getResponseRange();
      long found = range.getKvsCount() == 0 ? 0 : range.getKvs(0).getModRevision();
      if (!holds(era, guards.get(i), era.revision(found))) {
        return new Outcome.Refused(guards.get(i), era.revision(found));
      }
    }
    throw new IllegalStateException("etcd refused a commit whose guards " + guards + " all hold.");
  }

  private static boolean holds(EtcdEpoch era, Guard guard, long found) {
    return switch (guard) {
      case Guard.Absent absent -> found == Revision.NONE;
      case Guard.Unchanged unchanged -> found == unchanged.revision();
      case Guard.Holds holds -> found == holds.revision() && Revision.epoch(found) == era.epoch();
    };
  }
}
