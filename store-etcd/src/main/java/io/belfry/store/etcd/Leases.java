package io.belfry.store.etcd;

import io.belfry.store.Lease;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.proto.LeaseGrantRequest;
import io.belfry.store.etcd.proto.LeaseGrpc;
import io.belfry.store.etcd.proto.LeaseKeepAliveRequest;
import io.belfry.store.etcd.proto.LeaseRevokeRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Leases are etcd's own. A grant that was not answered is asked for again: the first one, if it came about, ends by
 * itself.
 *
 * <p>Threading: safe.
 */
final class Leases {
  /** etcd counts in seconds, and grants none under two. */
  private static final long TTL_SECONDS_MIN = 2;

  private final Calls calls;

  Leases(Calls calls) {
    this.calls = calls;
  }

  CompletableFuture<Lease> grant(Duration ttl) {
    long seconds = Math.max(TTL_SECONDS_MIN, ttl.plusSeconds(1).minusNanos(1).toSeconds());
    LeaseGrantRequest request = LeaseGrantRequest.newBuilder().setTTL(seconds).build();
    return calls
        .ask(LeaseGrpc.getLeaseGrantMethod(), request, Repeat.FREELY)
        .thenApply(got -> new Lease(got.getID(), Duration.ofSeconds(got.getTTL())));
  }

  /** A stream of one question and one answer, so that each renewal has a deadline of its own. */
  CompletableFuture<Boolean> renew(long lease) {
    LeaseKeepAliveRequest request =
        LeaseKeepAliveRequest.newBuilder().setID(lease).build();
    return calls
        .ask(LeaseGrpc.getLeaseKeepAliveMethod(), request, Repeat.FREELY)
        .thenApply(got -> got.getTTL() > 0)
        .exceptionallyCompose(failure -> Calls.kindOf(failure) == Failure.Kind.LEASE_ENDED
            ? CompletableFuture.completedFuture(false)
            : CompletableFuture.failedFuture(failure));
  }

  CompletableFuture<@Nullable Void> revoke(long lease) {
    LeaseRevokeRequest request = LeaseRevokeRequest.newBuilder().setID(lease).build();
    return calls
        .ask(LeaseGrpc.getLeaseRevokeMethod(), request, Repeat.FREELY)
        .<@Nullable Void>thenApply(got -> null)
        .exceptionallyCompose(failure -> Calls.kindOf(failure) == Failure.Kind.LEASE_ENDED
            ? CompletableFuture.<@Nullable Void>completedFuture(null)
            : CompletableFuture.failedFuture(failure));
  }
}
