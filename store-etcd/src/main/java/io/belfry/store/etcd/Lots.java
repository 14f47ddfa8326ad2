package io.belfry.store.etcd;

import io.belfry.store.Commit;
import io.belfry.store.Committer;
import io.belfry.store.Lease;
import io.belfry.store.LotRule;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import io.belfry.store.Write;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.proto.KVGrpc;
import io.belfry.store.etcd.proto.LeaseGrpc;
import io.belfry.store.etcd.proto.LeaseTimeToLiveRequest;
import io.belfry.store.etcd.proto.TxnResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends lots. A lot that etcd refuses as a whole for the sake of one commit (a dead lease, too large for this etcd) is
 * halved until only that commit is refused. On a full etcd the commits of a lot that only delete are carried out.
 *
 * <p>Threading: safe.
 */
final class Lots implements Committer.Sender {
  private static final int ERAS_MAX = 5;

  private final Calls calls;
  private final Eras eras;
  private final LotCodec codec;

  Lots(Calls calls, Eras eras, Names names) {
    this.calls = calls;
    this.eras = eras;
    this.codec = new LotCodec(names, eras);
  }

  /**
   * etcd evaluates all compares of a transaction before its first write, hence disjoint. It counts operations along the
   * nesting: 128 less the tip's one.
   */
  static LotRule rule(int lotsAway) {
    return new LotRule(100, 12_800, 127, 1 << 20, lotsAway, 32, true);
  }

  @Override
  public CompletableFuture<List<Outcome>> send(List<Commit> lot) {
    return send(lot, 1, calls.timeouts().request());
  }

  /** A lot that had to wait has less time left on its way. */
  @Override
  public CompletableFuture<List<Outcome>> send(List<Commit> lot, long deadline) {
    Duration left = Duration.ofNanos(deadline - calls.time().nanos());
    Duration request = calls.timeouts().request();
    return send(lot, 1, left.compareTo(request) < 0 ? left : request);
  }

  private CompletableFuture<List<Outcome>> send(List<Commit> lot, int eraTries, Duration patience) {
    Era era = eras.now();
    return calls
        .ask(KVGrpc.getTxnMethod(), codec.encode(era, lot), Repeat.IF_NOT_SENT, patience)
        .thenCompose(answer -> answered(era, lot, answer, eraTries))
        .exceptionallyCompose(failure -> failed(lot, failure));
  }

  /**
   * etcd is full and takes transactions only if nothing in them is put. So the commits that only delete are sent again without the tip; the others
   * are refused. Such a step leaves no entry and no tip that could be seen again after the data set was taken back, so its revision is not
   * remembered as seen.
   */
  private CompletableFuture<List<Outcome>> sendDeletes(List<Commit> lot, StoreException full) {
    List<Commit> deletes = lot.stream().filter(Lots::onlyDeletes).toList();
    if (deletes.isEmpty()) {
      return CompletableFuture.failedFuture(full);
    }
    Era era = eras.now();
    return calls
        .ask(
            KVGrpc.getTxnMethod(), codec.encodeWithoutTip(era, deletes).build(), Repeat.IF_NOT_SENT)
        .thenApply(answer -> {
          if (!answer.getSucceeded()) {
            throw full; // the epoch changed: nothing was done, and the next try settles it
          }
          if (answer.getHeader().getClusterId() != era.cluster()) {
            throw new StoreException.Unknown(
                "Another etcd cluster answered than was asked: the data set was restored or replaced just"
                    + " now.",
                null);
          }
          return merged(lot, codec.decode(era, deletes, answer), full);
        })
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
            Calls.unwrap(failure) instanceof Committer.PartlyDone partly
                ? partly
                : Calls.surface(failure)));
  }

  private static List<Outcome> merged(
      List<Commit> lot, List<Outcome> ofDeletes, StoreException full) {
    if (ofDeletes.size() == lot.size()) {
      return ofDeletes;
    }
    Iterator<Outcome> next = ofDeletes.iterator();
    throw new Committer.PartlyDone(
        lot.stream()
            .map(commit ->
                onlyDeletes(commit) ? Optional.of(next.next()) : Optional.<Outcome>empty())
            .toList(),
        full);
  }

  private static boolean onlyDeletes(Commit commit) {
    return commit.writes().stream().allMatch(Write.Delete.class::isInstance);
  }

  private CompletableFuture<List<Outcome>> answered(
      Era era, List<Commit> lot, TxnResponse answer, int eraTries) {
    if (!answer.getSucceeded()) {
      return eraTries == ERAS_MAX
          ? CompletableFuture.failedFuture(new StoreException.Unavailable(
              "etcd's data set changed its epoch " + eraTries + " times while a commit was tried.",
              null))
          : eras.settle()
              .thenCompose(settled -> send(lot, eraTries + 1, calls.timeouts().request()));
    }
    if (answer.getHeader().getClusterId() != era.cluster()) {
      return eras.settle().handle((settled, failure) -> {
        throw new StoreException.Unknown(
            "Another etcd cluster answered than was asked: the data set was restored or replaced just"
                + " now.",
            failure);
      });
    }
    era.saw(answer.getHeader().getRevision());
    return CompletableFuture.completedFuture(codec.decode(era, lot, answer));
  }

  private CompletableFuture<List<Outcome>> failed(List<Commit> lot, Throwable failure) {
    Failure.Kind kind = Calls.kindOf(failure);
    boolean oneIsToBlame = kind == Failure.Kind.LEASE_ENDED || kind == Failure.Kind.TOO_LARGE;
    if (oneIsToBlame && lot.size() > 1) {
      return halved(lot);
    }
    if (kind == Failure.Kind.FULL) {
      return sendDeletes(lot, Calls.surface(failure));
    }
    return kind == Failure.Kind.LEASE_ENDED
        ? leaseEnded(lot.getFirst(), failure)
        : CompletableFuture.failedFuture(Calls.surface(failure));
  }

  private CompletableFuture<List<Outcome>> halved(List<Commit> lot) {
    int middle = lot.size() / 2;
    return send(lot.subList(0, middle))
        .handle(Half::new)
        .thenCompose(left -> send(lot.subList(middle, lot.size()))
            .handle((outcomes, failure) -> left.plus(new Half(outcomes, failure))));
  }

  /** What became of one half. */
  private record Half(
      @Nullable List<Outcome> outcomes, @Nullable Throwable failure) {
    List<Outcome> plus(Half right) {
      if (outcomes != null && right.outcomes != null) {
        var all = new ArrayList<>(outcomes);
        all.addAll(right.outcomes);
        return all;
      }
      Throwable why = failure != null ? failure : right.failure;
      boolean neitherApplied = failure != null
          && right.failure != null
          && !(Calls.surface(failure) instanceof StoreException.Unknown)
          && !(Calls.surface(right.failure) instanceof StoreException.Unknown);
      throw neitherApplied && why != null
          ? Calls.surface(why)
          : new StoreException.Unknown(
              "A lot was sent in two halves, and not all of it was answered.", why);
    }
  }

  /** Names the first of the commit's leases that has ended, as the specification does. */
  private CompletableFuture<List<Outcome>> leaseEnded(Commit commit, Throwable failure) {
    List<Long> leases = commit.writes().stream()
        .flatMap(write -> write instanceof Write.Put put && put.lease() != Lease.NONE
            ? Optional.of(put.lease()).stream()
            : Optional.<Long>empty().stream())
        .distinct()
        .toList();
    return firstEnded(leases, 0)
        .thenCompose(lease -> lease
            .map(id ->
                CompletableFuture.completedFuture(List.<Outcome>of(new Outcome.LeaseEnded(id))))
            .orElseGet(() -> CompletableFuture.failedFuture(Calls.surface(failure))));
  }

  private CompletableFuture<Optional<Long>> firstEnded(List<Long> leases, int i) {
    if (i == leases.size()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    if (leases.size() == 1) {
      return CompletableFuture.completedFuture(Optional.of(leases.getFirst()));
    }
    LeaseTimeToLiveRequest question =
        LeaseTimeToLiveRequest.newBuilder().setID(leases.get(i)).build();
    return calls
        .ask(LeaseGrpc.getLeaseTimeToLiveMethod(), question, Repeat.FREELY)
        .thenCompose(answer -> answer.getTTL() <= 0
            ? CompletableFuture.completedFuture(Optional.of(leases.get(i)))
            : firstEnded(leases, i + 1));
  }
}
