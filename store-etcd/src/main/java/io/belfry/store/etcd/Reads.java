package io.belfry.store.etcd;

import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.StoreException;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.proto.KVGrpc;
import io.belfry.store.etcd.proto.KeyValue;
import io.belfry.store.etcd.proto.RangeRequest;
import io.belfry.store.etcd.proto.RangeResponse;
import io.belfry.store.etcd.proto.RequestOp;
import io.belfry.store.etcd.proto.TxnRequest;
import io.belfry.store.etcd.proto.TxnResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Linearizable reads, each inside a transaction that compares the epoch.
 *
 * <p>etcd bounds a page by entries only, so the number asked for follows the size of the entries seen lately; what comes
 * in excess is cut off again.
 *
 * <p>Threading: safe.
 */
final class Reads {
  private static final int ERAS_MAX = 5;
  /** With the largest values an answer stays below {@link Channels#ANSWER_BYTES_MAX}. */
  private static final int KEYS_AT_ONCE = 64;

  /** An answer and the era it was given in. */
  record Answer(EtcdEpoch era, TxnResponse txn) {
    long revision() {
      return era.revision(txn.getHeader().getRevision());
    }
  }

  private final Calls calls;
  private final EpochGuard eras;
  private final Names names;
  private final PageSizes sizes = new PageSizes();

  Reads(Calls calls, EpochGuard eras, Names names) {
    this.calls = calls;
    this.eras = eras;
    this.names = names;
  }

  CompletableFuture<List<Entry>> get(List<Key> keys) {
    var found = new ArrayList<Entry>();
    return get(keys, found).thenApply(nothing -> found);
  }

  private CompletableFuture<?> get(List<Key> keys, List<Entry> found) {
    if (keys.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    List<Key> some = keys.subList(0, Math.min(KEYS_AT_ONCE, keys.size()));
    return ask(some.stream().map(key -> Txns.read(names.of(key))).toList()).thenCompose(answer -> {
      for (int i = 0; i < some.size(); i++) {
        RangeResponse range = answer.txn.getResponses(i).getResponseRange();
        if (range.getKvsCount() > 0) {
          found.add(entry(answer.era, some.get(i), range.getKvs(0)));
        }
      }
      return get(keys.subList(some.size(), keys.size()), found);
    });
  }

  CompletableFuture<Page> scan(Scan scan) {
    if (scan.isEmpty()) {
      return ask(List.of())
          .thenApply(answer -> new Page(List.of(), answer.revision(), Optional.empty()));
    }
    return scan(scan, sizes.entries(scan));
  }

  private CompletableFuture<Page> scan(Scan scan, int entries) {
    Names.Stretch stretch = names.stretch(scan);
    RequestOp range = RequestOp.newBuilder()
        .setRequestRange(RangeRequest.newBuilder()
            .setKey(stretch.key())
            .setRangeEnd(stretch.end())
            .setLimit(entries))
        .build();
    return ask(List.of(range))
        .thenApply(answer -> page(scan, answer))
        .exceptionallyCompose(
            failure -> Calls.kindOf(failure) == Failure.Kind.ANSWER_TOO_LARGE && entries > 1
                ? scan(scan, Math.max(1, entries / 8))
                : CompletableFuture.failedFuture(failure));
  }

  private Page page(Scan scan, Answer answer) {
    RangeResponse range = answer.txn.getResponses(0).getResponseRange();
    var entries = new ArrayList<Entry>();
    long bytes = 0;
    int taken = 0;
    for (KeyValue kv : range.getKvsList()) {
      if (bytes >= Limits.PAGE_BYTES_MAX) {
        break;
      }
      taken++;
      bytes += kv.getValue().size();
      if (names.isKey(scan.space(), kv.getKey())) {
        entries.add(entry(answer.era, names.key(scan.space(), kv.getKey()), kv));
      }
    }
    sizes.saw(scan.space(), range);
    boolean more = range.getMore() || taken < range.getKvsCount();
    if (more && entries.isEmpty()) {
      throw new StoreException.Damaged(
          "A page of space " + scan.space()
              + " in etcd holds only keys that no Belfry writes (longer than "
              + Limits.KEY_BYTES_MAX
              + " bytes). Another program writes under our prefix: delete its keys, or choose another prefix.",
          null);
    }
    return new Page(
        entries,
        answer.revision(),
        more ? Optional.of(scan.after(entries.getLast().key())) : Optional.empty());
  }

  private static Entry entry(EtcdEpoch era, Key key, KeyValue kv) {
    era.saw(kv.getModRevision());
    return new Entry(key, kv.getValue().toByteArray(), era.revision(kv.getModRevision()));
  }

  /** The answers to {@code questions}, of one moment and of the present era. */
  CompletableFuture<Answer> ask(List<RequestOp> questions) {
    return ask(questions, 1);
  }

  private CompletableFuture<Answer> ask(List<RequestOp> questions, int tries) {
    EtcdEpoch era = eras.now();
    TxnRequest.Builder txn = TxnRequest.newBuilder().addAllSuccess(questions);
    eras.compare(era, txn);
    return calls.ask(KVGrpc.getTxnMethod(), txn.build(), Repeat.FREELY).thenCompose(answer -> {
      if (answer.getSucceeded() && answer.getHeader().getClusterId() == era.cluster()) {
        return CompletableFuture.completedFuture(new Answer(era, answer));
      }
      return tries == ERAS_MAX
          ? CompletableFuture.failedFuture(new StoreException.Unavailable(
              "etcd's data set changed its epoch " + tries + " times while it was read.", null))
          : eras.settle().thenCompose(settled -> ask(questions, tries + 1));
    });
  }
}
