package io.belfry.store.etcd;

import com.google.protobuf.ByteString;
import io.belfry.store.etcd.proto.Compare;
import io.belfry.store.etcd.proto.RangeRequest;
import io.belfry.store.etcd.proto.RequestOp;

/** The pieces that transactions are made of. */
final class Txns {
  private Txns() {}

  static Compare compareMod(ByteString key, Compare.CompareResult how, long revision) {
    return Compare.newBuilder()
        .setTarget(Compare.CompareTarget.MOD)
        .setResult(how)
        .setKey(key)
        .setModRevision(revision)
        .build();
  }

  /** Never true: no key has a negative version. For what cannot hold, but whose key is to be looked at. */
  static Compare never(ByteString key) {
    return Compare.newBuilder()
        .setTarget(Compare.CompareTarget.VERSION)
        .setResult(Compare.CompareResult.LESS)
        .setKey(key)
        .setVersion(0)
        .build();
  }

  static RequestOp read(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestRange(RangeRequest.newBuilder().setKey(key))
        .build();
  }

  /** The entry as it was at a revision; 0: as it is. */
  static RequestOp readAt(ByteString key, long revision) {
    return RequestOp.newBuilder()
        .setRequestRange(RangeRequest.newBuilder().setKey(key).setRevision(revision))
        .build();
  }

  /** The entry without its value. */
  static RequestOp readRevision(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestRange(RangeRequest.newBuilder().setKey(key).setKeysOnly(true))
        .build();
  }
}
