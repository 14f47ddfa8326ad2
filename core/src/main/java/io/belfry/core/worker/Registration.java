package io.belfry.core.worker;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerRecord;
import io.belfry.store.Commit;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers a worker: a lease, renewed by every heartbeat, and the worker's record under it.
 *
 * <p>Whether the lease is trusted is measured with the monotonic clock, from when the newest answered renewal was sent. On a virtual machine
 * that clock stops while the machine is suspended, and the wall clock does not: if the wall clock has advanced further since then, the
 * lease may have expired, and no attempt starts before a renewal that was sent later is answered. If the wall clock was only set, this
 * costs one round trip.
 *
 * <p>Threading: confined to its loop.
 */
final class Registration {
  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
  private static final Duration PAUSE = Duration.ofMillis(200);

  interface Owner {
    /** The lease is no longer trusted: attempts must end before it does. */
    void doubted(String why);
  }

  /** A time on both clocks. */
  private record Moment(long nanos, Instant wall) {}

  private final Loop loop;
  private final Store store;
  private final String worker;
  private final WorkerSettings settings;
  private final LongFunction<WorkerRecord> record;
  private final Owner owner;
  private final RenewalTimes renewals;
  private @Nullable Lease lease;
  private int life;
  private long beats;
  private long trustedUntil;
  private boolean trusting;
  /** When the newest answered renewal was sent. */
  private Moment renewed;

  /** Whether a renewal is in flight only because the clocks disagree. */
  private boolean checking;

  private @Nullable Moment warnedAbout;

  private long registeredAt = Revision.NONE;
  private boolean stopped;
  private boolean writing;
  private boolean writeAgain;

  /**
   * A registration that has not started.
   *
   * @param worker id with incarnation
   * @param record the worker's current state, given the number of the heartbeat
   */
  Registration(
      Loop loop,
      Store store,
      String worker,
      WorkerSettings settings,
      LongFunction<WorkerRecord> record,
      Owner owner) {
    this.loop = loop;
    this.store = store;
    this.worker = worker;
    this.settings = settings;
    this.record = record;
    this.owner = owner;
    this.renewals = new RenewalTimes(loop, worker, settings.heartbeat());
    this.renewed = moment();
  }

  private Moment moment() {
    return new Moment(loop.time().nanos(), loop.time().wall());
  }

  void start() {
    register();
  }

  /** Whether an attempt may start now. */
  boolean trusted() {
    long now = loop.time().nanos();
    if (!trusting || now - trustedUntil >= 0) {
      return false;
    }
    if (mayHaveBeenSuspended(now)) {
      renewAtOnce();
      return false;
    }
    return true;
  }

  private boolean mayHaveBeenSuspended(long now) {
    long byStopwatch = now - renewed.nanos;
    Duration byCalendar = Duration.between(renewed.wall, loop.time().wall());
    return byCalendar.minusNanos(byStopwatch).compareTo(settings.margin()) > 0;
  }

  private void renewAtOnce() {
    if (!checking) {
      checking = true;
      if (!renewed.equals(warnedAbout)) {
        warnedAbout = renewed;
        LOG.warn(
            "Worker {}: the wall clock has advanced further than the monotonic clock. The process was suspended, or its clock was set."
                + " The worker starts no attempt before its lease has been renewed.",
            worker);
      }
      int now = life;
      loop.post(() -> renew(now));
    }
  }

  /**
   * The revision at which the worker was registered under its present lease; none while it is not. Tasks assigned before that may have
   * been reassigned meanwhile, and must not be started.
   */
  long registeredAt() {
    return registeredAt;
  }

  /** The lease under which the worker is registered. */
  OptionalLong lease() {
    return lease == null || stopped ? OptionalLong.empty() : OptionalLong.of(lease.id());
  }

  /** Revokes the lease, so that the worker disappears at once. */
  void stop() {
    stopped = true;
    trusting = false;
    life++;
    if (lease != null) {
      revoke(lease);
    }
  }

  private void register() {
    int now = ++life;
    registeredAt = Revision.NONE;
    Moment sent = moment();
    loop.onResult(
        store.grant(settings.lease()),
        granted -> {
          if (now != life) {
            revoke(granted);
            return;
          }
          lease = granted;
          trusting = false; // the trust was in another lease
          trust(sent);
          beat(now);
        },
        failure -> {
          var unused = loop.after(PAUSE, () -> {
            if (now == life) {
              register();
            }
          });
        });
  }

  private void trust(Moment sent) {
    int now = life;
    long until = sent.nanos + settings.lease().minus(settings.margin()).toNanos();
    if (trusting && until - trustedUntil <= 0) {
      return; // an older renewal, answered after a newer one
    }
    trusting = true;
    trustedUntil = until;
    renewed = sent;
    checking = false;
    // Only the rest of the lease counts from now: the answer may have taken long, or this process
    // may have been suspended.
    long left = trustedUntil - loop.time().nanos();
    var unused = loop.timeout(Duration.ofNanos(Math.max(0, left)), () -> {
      // Fires after everything that was posted before this time: an answer may already be in the
      // mailbox.
      if (now == life && trusting && trustedUntil == until) {
        distrust("its lease could not be renewed in time, " + renewals.state(renewed.nanos));
      }
    });
  }

  private void distrust(String why) {
    if (trusting) {
      trusting = false;
      LOG.warn(
          "Worker {} cannot trust its lease of {}: {}. It stops its attempts, and the leader reassigns their tasks to other workers"
              + " once the lease has expired.",
          worker,
          settings.lease(),
          why);
      owner.doubted(why);
    }
  }

  /**
   * Gets a new lease only when the old one is certainly over: otherwise a late record sent under the old one would tie the worker to a
   * lease that is no longer renewed.
   */
  private void ended() {
    distrust("its lease has ended");
    register();
  }

  private void beat(int of) {
    if (of != life || lease == null) {
      return;
    }
    var unused = loop.after(settings.heartbeat(), () -> beat(of));
    renew(of);
    tell();
  }

  private void renew(int of) {
    Lease held = lease;
    if (of != life || held == null) {
      return;
    }
    Moment sent = moment();
    renewals.hear(
        sent.nanos,
        store.renew(held.id()),
        alive -> {
          if (of == life) {
            if (alive) {
              trust(sent);
            } else {
              ended();
            }
          }
        },
        failure -> {
          checking = false; // the trust expires by itself unless a later renewal is answered
        });
  }

  /** Writes the worker's record now: with every heartbeat, and after changes that other nodes must know. */
  void tell() {
    tell(() -> {});
  }

  /**
   * The same for state that may change many times in a moment: the record names all held attempts, so only one write is in flight at a
   * time, and the last one covers all changes.
   */
  void tellSoon() {
    if (writing) {
      writeAgain = true;
      return;
    }
    writing = true;
    writeAgain = false;
    tell(() -> {
      writing = false;
      if (writeAgain) {
        tellSoon();
      }
    });
  }

  private void tell(Runnable answered) {
    Lease held = lease;
    if (stopped || held == null) {
      answered.run();
      return;
    }
    int now = life;
    Commit commit = Commit.when()
        .put(Keys.worker(worker), Records.encode(record.apply(++beats)), held.id())
        .build();
    loop.onResult(
        store.commit(commit),
        outcome -> {
          answered.run();
          if (now != life) {
            return;
          }
          if (outcome instanceof Outcome.LeaseEnded) {
            ended();
          } else if (outcome instanceof Outcome.Done(long revision)
              && registeredAt == Revision.NONE) {
            registeredAt = revision;
            LOG.info("Worker {} is registered, under a lease of {}.", worker, settings.lease());
          }
        },
        failure -> answered.run()); // the next heartbeat writes it again
  }

  private void revoke(Lease ended) {
    loop.onResult(store.revoke(ended.id()), done -> {}, failure -> {
      // It ends by itself.
    });
  }
}
