package io.belfry.store.etcd;

import io.belfry.store.etcd.proto.MaintenanceGrpc;
import io.belfry.store.etcd.proto.StatusRequest;
import io.belfry.store.etcd.proto.StatusResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the member at the end of a line, over that very line, whether it lives and has a leader. A paused or cut-off
 * member keeps its connections open and silent; gRPC's own pings would need ten seconds to notice.
 *
 * <p>Threading: safe; one question at a time.
 */
final class Probe {
  private static final int ELECTION_PROBES = 4;

  private final Link link;
  private final EtcdSettings.Timeouts timeouts;
  private final ScheduledExecutorService timer;
  private final BooleanSupplier inUse;
  private final Consumer<Link.Line> leaderless;
  private final Runnable elected;
  private long term;
  private int leaderlessInARow;

  /**
   * @param leaderless what to do with a line whose member lives but knows no leader
   * @param elected what to do when the cluster has a new leader
   */
  Probe(
      Link link,
      EtcdSettings.Timeouts timeouts,
      ScheduledExecutorService timer,
      BooleanSupplier inUse,
      Consumer<Link.Line> leaderless,
      Runnable elected) {
    this.link = link;
    this.timeouts = timeouts;
    this.timer = timer;
    this.inUse = inUse;
    this.leaderless = leaderless;
    this.elected = elected;
  }

  void start() {
    var unused = timer.schedule(this::ask, timeouts.probeEvery().toNanos(), TimeUnit.NANOSECONDS);
  }

  private void ask() {
    if (!inUse.getAsBoolean()) {
      start();
      return;
    }
    Link.Line line = link.line();
    ClientCall<StatusRequest, StatusResponse> call = line.channel()
        .newCall(
            MaintenanceGrpc.getStatusMethod(),
            CallOptions.DEFAULT.withDeadlineAfter(
                timeouts.probe().toNanos(), TimeUnit.NANOSECONDS));
    call.start(new Heard(line), new Metadata());
    call.request(2);
    call.sendMessage(StatusRequest.getDefaultInstance());
    call.halfClose();
  }

  /** An election takes a moment; a member that is cut off stays without a leader. */
  private void hasNoLeader(Link.Line line) {
    if (++leaderlessInARow == ELECTION_PROBES) {
      leaderlessInARow = 0;
      leaderless.accept(line);
    }
  }

  private void hasLeader(long now) {
    leaderlessInARow = 0;
    boolean another = term != 0 && now > term;
    term = Math.max(term, now);
    if (another) {
      elected.run();
    }
  }

  private final class Heard extends ClientCall.Listener<StatusResponse> {
    private final Link.Line line;
    private @Nullable StatusResponse got;

    Heard(Link.Line line) {
      this.line = line;
    }

    @Override
    public void onMessage(StatusResponse message) {
      got = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!status.isOk() || got == null) {
        link.cut(line);
      } else if (got.getLeader() == 0) {
        hasNoLeader(line);
      } else {
        hasLeader(got.getRaftTerm());
      }
      start();
    }
  }
}
