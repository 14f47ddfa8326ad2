package io.belfry.store.etcd;

import io.belfry.store.StoreException;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.EtcdSettings.Endpoint;
import io.belfry.store.etcd.proto.AlarmMember;
import io.belfry.store.etcd.proto.AlarmRequest;
import io.belfry.store.etcd.proto.AlarmType;
import io.belfry.store.etcd.proto.DefragmentRequest;
import io.belfry.store.etcd.proto.MaintenanceGrpc;
import io.belfry.store.etcd.proto.StatusRequest;
import io.belfry.store.etcd.proto.StatusResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the NOSPACE alarm of a dedicated etcd, after its history was compacted.
 *
 * <pre>
 *   alarm up ──▶ defragment each member ──▶ enough room now? ──▶ disarm
 *                                                └── no, or not permitted: WARN with what an operator must do
 * </pre>
 *
 * etcd measures its quota by the size of its file, and only defragmenting makes that smaller. A member that is being defragmented serves nobody; but
 * while the alarm is up, etcd takes no writes anyway.
 *
 * <p>Threading: one attempt at a time, by the compactor.
 */
final class SpaceAlarm {
  private static final Logger log = LoggerFactory.getLogger(SpaceAlarm.class);
  /** A share of the quota, below which disarming is worth it: above it, the alarm would be back within moments. */
  private static final double ENOUGH = 0.9;
  /** Seconds for each GiB. */
  private static final Duration DEFRAGMENT_MAX = Duration.ofMinutes(2);

  private final Calls calls;
  private final List<Endpoint> members;
  private final Function<Endpoint, Calls> callsTo;
  private final long quotaBytes;

  /**
   * @param callsTo opens calls to one member only; closed after use
   */
  SpaceAlarm(
      Calls calls, List<Endpoint> members, Function<Endpoint, Calls> callsTo, long quotaBytes) {
    this.calls = calls;
    this.members = members;
    this.callsTo = callsTo;
    this.quotaBytes = quotaBytes;
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
    return status().thenApply(SpaceAlarm::isUp);
  }

  private CompletableFuture<StatusResponse> status() {
    return calls.ask(
        MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), Repeat.FREELY);
  }

  /** Whether writes are possible again. Never fails: the next round tries again. */
  CompletableFuture<Boolean> end() {
    return defragment(0)
        .thenCompose(done -> status())
        .thenCompose(status -> {
          long used = status.getDbSize();
          if (used >= ENOUGH * quotaBytes) {
            log.warn(
                "etcd is full: {} of {} bytes are used although its history was compacted and its members were"
                    + " defragmented. Writes fail; deletes go on. Raise --quota-backend-bytes (and etcd.quota-bytes), or keep"
                    + " less history of tasks.",
                used,
                quotaBytes);
            return CompletableFuture.completedFuture(false);
          }
          return disarm().thenApply(done -> {
            log.info(
                "etcd: compacted, defragmented, and disarmed the NOSPACE alarm; {} of {} bytes are used. Writes go on.",
                used,
                quotaBytes);
            return true;
          });
        })
        .exceptionally(problem -> {
          StoreException why = Calls.surface(problem);
          log.warn(
              "etcd is full, and the NOSPACE alarm could not be ended: {} Writes fail until an operator runs 'etcdctl defrag'"
                  + " for each member and 'etcdctl alarm disarm' (with authentication switched on, both need the role root).",
              why.getMessage());
          return false;
        });
  }

  private CompletableFuture<?> defragment(int member) {
    if (member == members.size()) {
      return CompletableFuture.completedFuture(null);
    }
    Calls one = callsTo.apply(members.get(member));
    return one.ask(
            MaintenanceGrpc.getDefragmentMethod(),
            DefragmentRequest.getDefaultInstance(),
            Repeat.FREELY,
            DEFRAGMENT_MAX)
        .whenComplete((done, problem) -> {
          one.close();
          one.link().close();
        })
        .thenCompose(done -> defragment(member + 1));
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
