package io.belfry.store.etcd;

import io.belfry.model.time.Time;
import io.belfry.store.etcd.proto.MaintenanceGrpc;
import io.belfry.store.etcd.proto.StatusRequest;
import io.belfry.store.etcd.proto.StatusResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the member at the end of a line, over that very line, whether it lives and has a leader. A paused or cut-off
 * member keeps its connections open and silent; gRPC's own pings would need ten seconds to notice.
 *
 * <p>A probe that runs into its deadline while this process was held up (a long collection of garbage, a suspended machine) proves nothing: the answer
 * may lie in the socket. It is asked again, a few times at most.
 *
 * <p>Threading: safe; one question at a time.
 */
final class Probe {
  private static final Logger log = LoggerFactory.getLogger(Probe.class);
  private static final int ELECTION_PROBES = 4;
  /** Probes in a row that do not count because this process was held up. */
  private static final int HELD_UP_MAX = 3;

  private final Link link;
  private final EtcdSettings.Timeouts timeouts;
  private final ScheduledExecutorService timer;
  private final Time time;
  private final EngineTroubleLog troubles;
  private final BooleanSupplier inUse;
  private final Consumer<Link.Line> leaderless;
  private final Runnable elected;
  private long term;
  private int leaderlessInARow;
  private int heldUpInARow;

  /**
   * @param leaderless what to do with a line whose member lives but knows no leader
   * @param elected what to do when the cluster has a new leader
   */
  Probe(
      Link link,
      EtcdSettings.Timeouts timeouts,
      ScheduledExecutorService timer,
      Time time,
      EngineTroubleLog troubles,
      BooleanSupplier inUse,
      Consumer<Link.Line> leaderless,
      Runnable elected) {
    this.link = link;
    this.timeouts = timeouts;
    this.timer = timer;
    this.time = time;
    this.troubles = troubles;
    this.inUse = inUse;
    this.leaderless = leaderless;
    this.elected = elected;
  }

  void start() {
    var unused = timer.schedule(this::ask, timeouts.probeEvery().toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whatever happens, the next question is asked: nobody else would notice a silent member. */
  private void ask() {
    if (!inUse.getAsBoolean()) {
      start();
      return;
    }
    Link.Line line = link.line();
    var heard = new Heard(line);
    try {
      var unused =
          timer.schedule(heard::halfway, timeouts.probe().toNanos() / 2, TimeUnit.NANOSECONDS);
      ClientCall<StatusRequest, StatusResponse> call = line.channel()
          .newCall(
              MaintenanceGrpc.getStatusMethod(),
              CallOptions.DEFAULT.withDeadlineAfter(
                  timeouts.probe().toNanos(), TimeUnit.NANOSECONDS));
      call.start(heard, new Metadata());
      call.request(2);
      call.sendMessage(StatusRequest.getDefaultInstance());
      call.halfClose();
    } catch (RuntimeException | Error e) {
      heard.onClose(Status.CANCELLED.withCause(e), new Metadata());
    }
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
    private final AtomicBoolean ended = new AtomicBoolean();
    private final long asked = time.nanos();
    private volatile long halfway = Long.MAX_VALUE;
    private @Nullable StatusResponse got;

    Heard(Link.Line line) {
      this.line = line;
    }

    /** Called when half of the patience is over, or later if this process is held up. */
    void halfway() {
      halfway = time.nanos() - asked;
    }

    private boolean wasHeldUp() {
      return halfway > timeouts.probe().toNanos() * 3 / 4;
    }

    @Override
    public void onMessage(StatusResponse message) {
      got = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!ended.compareAndSet(false, true)) {
        return;
      }
      try {
        judge(status);
      } catch (RuntimeException | Error e) {
        log.error("etcd: the answer to a probe of {} could not be dealt with.", line.member(), e);
      } finally {
        start();
      }
    }

    /** A member that refuses lives. */
    private void judge(Status status) {
      StatusResponse answer = got;
      if (status.getCode() == Status.Code.DEADLINE_EXCEEDED
          && wasHeldUp()
          && ++heldUpInARow <= HELD_UP_MAX) {
        log.debug("etcd: a probe of {} does not count: this process was held up.", line.member());
        return;
      }
      heldUpInARow = 0;
      if (status.isOk() && answer != null) {
        troubles.answered();
        if (answer.getLeader() == 0) {
          hasNoLeader(line);
        } else {
          hasLeader(answer.getRaftTerm());
        }
      } else if (status.getCode() != Status.Code.PERMISSION_DENIED
          && status.getCode() != Status.Code.UNAUTHENTICATED) {
        if (inUse.getAsBoolean()) {
          troubles.failed(FailureTable.classify(status, true, line.member()), null);
        }
        link.cut(line);
      }
    }
  }
}
