package io.belfry.store.etcd;

import io.belfry.store.Endpoint;
import io.belfry.store.LogLimiter;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.proto.AlarmMember;
import io.belfry.store.etcd.proto.AlarmRequest;
import io.belfry.store.etcd.proto.AlarmType;
import io.belfry.store.etcd.proto.DefragmentRequest;
import io.belfry.store.etcd.proto.MaintenanceGrpc;
import io.belfry.store.etcd.proto.StatusRequest;
import io.belfry.store.etcd.proto.StatusResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the NOSPACE alarm of a dedicated etcd, after its history was compacted.
 *
 * <pre>
 *   alarm up ──▶ defragment each member that can be reached ──▶ all of them have room now? ──▶ disarm
 *                     ▲                                                  └── no, or not permitted: WARN with what an operator must do
 *                     └───── a member uses little of its file, or {@value #REST_ROUNDS} rounds later ◀────┘
 * </pre>
 *
 * etcd measures its quota by the size of its file, and only defragmenting makes that smaller. A member that is being defragmented serves nobody, and
 * what a full etcd needs is deletes: so after an attempt in vain members are left alone until they say that they have room, or for a while,
 * because they do not say so before the next write.
 *
 * <p>A member that is down is passed over: it raises the alarm again when it is back and has no room.
 *
 * <p>Threading: one attempt at a time, by the compactor.
 */
final class SpaceAlarm {
  private static final Logger log = LoggerFactory.getLogger(SpaceAlarm.class);
  /** A share of the quota, below which disarming is worth it: above it, the alarm would be back within moments. */
  private static final double ENOUGH = 0.9;
  /** Five minutes, where history is kept for one. */
  static final int REST_ROUNDS = 30;

  /** Seconds for each GiB. */
  private static final Duration DEFRAGMENT_MAX = Duration.ofMinutes(2);

  private final Calls calls;
  private final List<Endpoint> members;
  private final Function<Endpoint, Calls> callsTo;
  private final long quotaBytes;
  private final LogLimiter limiter;
  private int roundsToRest;

  /**
   * @param callsTo opens calls to one member only; closed after use
   */
  SpaceAlarm(
      Calls calls,
      List<Endpoint> members,
      Function<Endpoint, Calls> callsTo,
      long quotaBytes,
      LogLimiter limiter) {
    this.calls = calls;
    this.members = members;
    this.callsTo = callsTo;
    this.quotaBytes = quotaBytes;
    this.limiter = limiter;
  }

  static boolean isUp(StatusResponse status) {
    return status.getErrorsList().stream().anyMatch(each -> each.contains("NOSPACE"));
  }

  /** What is used of the quota, 0 to 1. A file as large as the quota is full, however much of it is free. */
  static double fullness(StatusResponse status, long quotaBytes) {
    long used = status.getDbSizeInUse() > 0 ? status.getDbSizeInUse() : status.getDbSize();
    return isUp(status) || status.getDbSize() >= quotaBytes
        ? 1
        : Math.min(1, (double) used / quotaBytes);
  }

  CompletableFuture<Boolean> isUp() {
    return status(calls).thenApply(SpaceAlarm::isUp);
  }

  private static CompletableFuture<StatusResponse> status(Calls of) {
    return of.ask(
        MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), Repeat.FREELY);
  }

  /**
   * What was found of the members so far.
   *
   * @param reached how many of them
   * @param used by the one that uses most
   * @param problem of one that was not reached, or not defragmented
   */
  private record Found(int reached, long used, Optional<Throwable> problem) {
    Found member(long uses) {
      return new Found(reached + 1, Math.max(used, uses), problem);
    }

    Found missing(Throwable why) {
      return new Found(reached, used, Optional.of(why));
    }
  }

  /** Whether writes are possible again. Never fails: the next round tries again. */
  CompletableFuture<Boolean> end() {
    boolean rested = --roundsToRest < 0;
    return makeRoom(0, new Found(0, 0, Optional.empty()), rested)
        .thenCompose(found -> {
          if (rested) {
            roundsToRest = isEnough(found.used) ? 0 : REST_ROUNDS;
          }
          if (found.reached == 0) {
            return CompletableFuture.failedFuture(found.problem.orElseThrow());
          }
          return isEnough(found.used)
              ? disarm().thenApply(done -> disarmed(found))
              : CompletableFuture.completedFuture(isFull(found.used));
        })
        .exceptionally(this::failed);
  }

  private boolean disarmed(Found found) {
    log.info(
        "etcd: compacted, defragmented, and disarmed the NOSPACE alarm; {} of {} bytes are used. Writes go on.{}",
        found.used,
        quotaBytes,
        found
            .problem
            .map(why ->
                " Not all members could be reached: " + Calls.surface(why).getMessage())
            .orElse(""));
    return true;
  }

  private boolean isFull(long used) {
    boolean unused = limiter.log(
        "etcd is full",
        more -> log.warn(
            "etcd is full: {} of {} bytes are needed although its history was compacted. Writes fail; deletes go on. Raise"
                + " --quota-backend-bytes (and etcd.quota-bytes), or keep less history of tasks.{}",
            used,
            quotaBytes,
            more));
    return false;
  }

  private boolean failed(Throwable problem) {
    boolean unused = limiter.log(
        "etcd alarm",
        more -> log.warn(
            "etcd is full, and the NOSPACE alarm could not be ended: {} Writes fail until an operator runs 'etcdctl defrag'"
                + " for each member and 'etcdctl alarm disarm' (with authentication switched on, both need the role root).{}",
            Calls.surface(problem).getMessage(),
            more));
    return false;
  }

  private boolean isEnough(long used) {
    return used < ENOUGH * quotaBytes;
  }

  /** From this member on, one after the other. */
  private CompletableFuture<Found> makeRoom(int member, Found before, boolean rested) {
    if (member == members.size()) {
      return CompletableFuture.completedFuture(before);
    }
    Calls one = callsTo.apply(members.get(member));
    return makeRoom(one, rested)
        .handle((used, problem) -> {
          one.close();
          one.link().close();
          return problem == null ? before.member(used) : before.missing(problem);
        })
        .thenCompose(found -> makeRoom(member + 1, found, rested));
  }

  /** What the member uses of its quota afterwards. */
  private CompletableFuture<Long> makeRoom(Calls one, boolean rested) {
    return status(one).thenCompose(status -> {
      if (!rested && !isEnough(status.getDbSizeInUse())) {
        return CompletableFuture.completedFuture(status.getDbSizeInUse());
      }
      return one.ask(
              MaintenanceGrpc.getDefragmentMethod(),
              DefragmentRequest.getDefaultInstance(),
              Repeat.FREELY,
              DEFRAGMENT_MAX)
          .thenCompose(done -> status(one))
          .thenApply(StatusResponse::getDbSize);
    });
  }

  private CompletableFuture<?> disarm() {
    return alarm(AlarmRequest.newBuilder()
            .setAction(AlarmRequest.AlarmAction.GET)
            .setAlarm(AlarmType.NOSPACE)
            .build())
        .thenCompose(raised -> CompletableFuture.allOf(raised.stream()
            .map(each -> alarm(AlarmRequest.newBuilder()
                .setAction(AlarmRequest.AlarmAction.DEACTIVATE)
                .setMemberID(each.getMemberID())
                .setAlarm(AlarmType.NOSPACE)
                .build()))
            .toArray(CompletableFuture[]::new)));
  }

  private CompletableFuture<List<AlarmMember>> alarm(AlarmRequest request) {
    return calls
        .ask(MaintenanceGrpc.getAlarmMethod(), request, Repeat.FREELY)
        .thenApply(answer -> answer.getAlarmsList());
  }
}
