package io.belfry.store.etcd;

import io.belfry.store.BatchRule;
import io.belfry.store.Commit;
import io.belfry.store.Committer;
import io.belfry.store.Lease;
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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches. A batch that etcd refuses as a whole for the sake of one commit (a dead lease, too large for this etcd) is
 * halved until only that commit is refused. On a full etcd the commits of a batch that only delete are carried out, once it is certain that the batch was
 * not applied ({@link BatchMarks}). However often a part of a batch is sent, all of it is complete by the deadline of the batch.
 *
 * <p>Threading: safe.
 */
final class Batches implements Committer.Sender {
  private static final int ERAS_MAX = 5;

  private final Calls calls;
  private final EpochGuard eras;
  private final BatchCodec codec;
  private final BatchMarks marks;

  Batches(Calls calls, EpochGuard eras, Names names, BatchMarks marks) {
    this.calls = calls;
    this.eras = eras;
    this.codec = new BatchCodec(names, eras);
    this.marks = marks;
  }

  /**
   * etcd evaluates all compares of a transaction before its first write, hence disjoint. It counts operations along the
   * nesting: 128 less the tip's one.
   */
  static BatchRule rule(int batchesAway) {
    return new BatchRule(100, 12_800, 127, 1 << 20, batchesAway, 32, true);
  }

  @Override
  public CompletableFuture<List<Outcome>> send(List<Commit> batch) {
    return send(batch, calls.time().nanos() + calls.timeouts().request().toNanos());
  }

  /** A batch that had to wait has less time left on its way. */
  @Override
  public CompletableFuture<List<Outcome>> send(List<Commit> batch, long deadline) {
    return send(batch, 1, deadline);
  }

  private CompletableFuture<List<Outcome>> send(List<Commit> batch, int eraTries, long deadline) {
    BatchMarks.Mark mark = marks.next(eras.now());
    return calls
        .ask(KVGrpc.getTxnMethod(), codec.encode(mark, batch), Repeat.IF_NOT_SENT, left(deadline))
        .thenCompose(answer -> answered(mark.era(), batch, answer, eraTries, deadline))
        .exceptionallyCompose(failure -> failed(mark, batch, failure, deadline));
  }

  /** For one request. */
  private Duration left(long deadline) {
    Duration left = Duration.ofNanos(deadline - calls.time().nanos());
    Duration request = calls.timeouts().request();
    return left.compareTo(request) < 0 ? left : request;
  }

  /** The present epoch may be looked for by many, and for long. */
  private CompletableFuture<EtcdEpoch> settled(long deadline) {
    CompletableFuture<EtcdEpoch> mine = eras.settle().copy();
    var timer = calls
        .timer()
        .schedule(
            () -> mine.completeExceptionally(new StoreException.Unavailable(
                "etcd's data set changed its epoch, and the new one was not found by the deadline of the commit.",
                null)),
            Math.max(0, deadline - calls.time().nanos()),
            TimeUnit.NANOSECONDS);
    return mine.whenComplete((era, problem) -> timer.cancel(false));
  }

  /** etcd says of some batches that it applied, too, that there is no space. Those are not sent again, in whatever part. */
  private CompletableFuture<List<Outcome>> full(
      BatchMarks.Mark mark, List<Commit> batch, StoreException full, long deadline) {
    return marks
        .fate(mark, () -> left(deadline))
        .thenCompose(fate -> fate == BatchMarks.Fate.NOT_APPLIED
            ? sendDeletes(batch, full, deadline)
            : CompletableFuture.failedFuture(new StoreException.Unknown(
                "etcd's quota was used up while the request was under way, and etcd applies such requests although it refuses them."
                    + " It said: " + full.getMessage(),
                full)));
  }

  /**
   * etcd is full and takes transactions only if nothing in them is put. So the commits that only delete are sent again without the tip; the others
   * are refused. Such a step leaves no entry and no tip that could be seen again after the data set was taken back, so its revision is not
   * remembered as seen.
   */
  private CompletableFuture<List<Outcome>> sendDeletes(
      List<Commit> batch, StoreException full, long deadline) {
    List<Commit> deletes = batch.stream().filter(Batches::onlyDeletes).toList();
    if (deletes.isEmpty()) {
      return CompletableFuture.failedFuture(full);
    }
    EtcdEpoch era = eras.now();
    return calls
        .ask(
            KVGrpc.getTxnMethod(),
            codec.encodeWithoutTip(era, deletes).build(),
            Repeat.IF_NOT_SENT,
            left(deadline))
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
          return merged(batch, codec.decode(era, deletes, answer), full);
        })
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(surface(failure)));
  }

  private static List<Outcome> merged(
      List<Commit> batch, List<Outcome> ofDeletes, StoreException full) {
    if (ofDeletes.size() == batch.size()) {
      return ofDeletes;
    }
    Iterator<Outcome> next = ofDeletes.iterator();
    throw new Committer.PartlyDone(
        batch.stream()
            .map(commit ->
                onlyDeletes(commit) ? Optional.of(next.next()) : Optional.<Outcome>empty())
            .toList(),
        full);
  }

  private static boolean onlyDeletes(Commit commit) {
    return commit.writes().stream().allMatch(Write.Delete.class::isInstance);
  }

  private CompletableFuture<List<Outcome>> answered(
      EtcdEpoch era, List<Commit> batch, TxnResponse answer, int eraTries, long deadline) {
    if (!answer.getSucceeded()) {
      return eraTries == ERAS_MAX
          ? CompletableFuture.failedFuture(new StoreException.Unavailable(
              "etcd's data set changed its epoch " + eraTries + " times while a commit was tried.",
              null))
          : settled(deadline).thenCompose(settled -> send(batch, eraTries + 1, deadline));
    }
    if (answer.getHeader().getClusterId() != era.cluster()) {
      return settled(deadline).handle((settled, failure) -> {
        throw new StoreException.Unknown(
            "Another etcd cluster answered than was asked: the data set was restored or replaced just"
                + " now.",
            failure);
      });
    }
    era.saw(answer.getHeader().getRevision());
    return CompletableFuture.completedFuture(codec.decode(era, batch, answer));
  }

  private CompletableFuture<List<Outcome>> failed(
      BatchMarks.Mark mark, List<Commit> batch, Throwable failure, long deadline) {
    Failure.Kind kind = Calls.kindOf(failure);
    boolean oneIsToBlame = kind == Failure.Kind.LEASE_ENDED || kind == Failure.Kind.TOO_LARGE;
    if (oneIsToBlame && batch.size() > 1) {
      return halved(batch, deadline);
    }
    if (kind == Failure.Kind.FULL) {
      return full(mark, batch, Calls.surface(failure), deadline);
    }
    return kind == Failure.Kind.LEASE_ENDED
        ? leaseEnded(batch.getFirst(), failure, deadline)
        : CompletableFuture.failedFuture(surface(failure));
  }

  /** What the committer hears in the place of {@code problem}. */
  private static RuntimeException surface(Throwable problem) {
    return Calls.unwrap(problem) instanceof Committer.PartlyDone partly
        ? partly
        : Calls.surface(problem);
  }

  private CompletableFuture<List<Outcome>> halved(List<Commit> batch, long deadline) {
    int middle = batch.size() / 2;
    List<Commit> one = batch.subList(0, middle);
    List<Commit> other = batch.subList(middle, batch.size());
    return send(one, deadline)
        .handle((outcomes, failure) -> Half.of(one, outcomes, failure))
        .thenCompose(left -> send(other, deadline)
            .handle((outcomes, failure) -> left.plus(Half.of(other, outcomes, failure))));
  }

  /**
   * What became of one half.
   *
   * @param outcomes empty for the commits that failed
   * @param failure why they did
   */
  private record Half(List<Optional<Outcome>> outcomes, Optional<StoreException> failure) {
    static Half of(
        List<Commit> batch, @Nullable List<Outcome> outcomes, @Nullable Throwable failure) {
      if (outcomes != null) {
        return new Half(outcomes.stream().map(Optional::of).toList(), Optional.empty());
      }
      Throwable why = failure == null ? new IllegalStateException("no outcomes") : failure;
      return Calls.unwrap(why) instanceof Committer.PartlyDone partly
          ? new Half(partly.outcomes(), Optional.of(partly.otherwise()))
          : new Half(
              batch.stream().map(commit -> Optional.<Outcome>empty()).toList(),
              Optional.of(Calls.surface(why)));
    }

    List<Outcome> plus(Half right) {
      var all = new ArrayList<>(outcomes);
      all.addAll(right.outcomes);
      Optional<StoreException> why = right
          .failure
          .filter(StoreException.Unknown.class::isInstance) // which is true of all that failed
          .or(() -> failure)
          .or(() -> right.failure);
      if (why.isPresent()) {
        throw new Committer.PartlyDone(all, why.get());
      }
      return all.stream().map(Optional::orElseThrow).toList();
    }
  }

  /** Names the first of the commit's leases that has ended, as the specification does. */
  private CompletableFuture<List<Outcome>> leaseEnded(
      Commit commit, Throwable failure, long deadline) {
    List<Long> leases = commit.writes().stream()
        .flatMap(write -> write instanceof Write.Put put && put.lease() != Lease.NONE
            ? Optional.of(put.lease()).stream()
            : Optional.<Long>empty().stream())
        .distinct()
        .toList();
    return firstEnded(leases, 0, deadline)
        .thenCompose(lease -> lease
            .map(id ->
                CompletableFuture.completedFuture(List.<Outcome>of(new Outcome.LeaseEnded(id))))
            .orElseGet(() -> CompletableFuture.failedFuture(Calls.surface(failure))));
  }

  private CompletableFuture<Optional<Long>> firstEnded(List<Long> leases, int i, long deadline) {
    if (i == leases.size()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    if (leases.size() == 1) {
      return CompletableFuture.completedFuture(Optional.of(leases.getFirst()));
    }
    LeaseTimeToLiveRequest question =
        LeaseTimeToLiveRequest.newBuilder().setID(leases.get(i)).build();
    return calls
        .ask(LeaseGrpc.getLeaseTimeToLiveMethod(), question, Repeat.FREELY, left(deadline))
        .thenCompose(answer -> answer.getTTL() <= 0
            ? CompletableFuture.completedFuture(Optional.of(leases.get(i)))
            : firstEnded(leases, i + 1, deadline));
  }
}
