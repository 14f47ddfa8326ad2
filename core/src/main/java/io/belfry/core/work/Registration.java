package io.belfry.core.work;

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
 * Keeps a worker known: a lease, renewed by every heartbeat, and the worker's record under it.
 *
 * <p>Trust in the lease counts by the stopwatch, from when the newest answered renewal was sent. The stopwatch of a virtual machine stands
 * still while the machine is suspended, and its calendar does not: where the calendar has gone further than the stopwatch since then, the
 * lease may have ended, and nothing is begun before a renewal that was sent afterwards is answered. A calendar that was only set costs one
 * round trip.
 *
 * <p>Threading: confined to its loop.
 */
final class Registration {
  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
  private static final Duration PAUSE = Duration.ofMillis(200);

  interface Owner {
    /** Trust is over: attempts must end before the lease does. */
    void doubted(String why);
  }

  /** A moment by both clocks. */
  private record Moment(long nanos, Instant wall) {}

  private final Loop loop;
  private final Store store;
  private final String worker;
  private final WorkerSettings settings;
  private final LongFunction<WorkerRecord> record;
  private final Owner owner;
  private final Renewals renewals;
  private @Nullable Lease lease;
  private int life;
  private long beats;
  private long trustedUntil;
  private boolean trusting;
  /** When the newest answered renewal was sent. */
  private Moment renewed;

  /** Whether a renewal is under way only because the clocks disagree. */
  private boolean checking;

  private @Nullable Moment warnedAbout;

  private long registeredAt = Revision.NONE;
  private boolean stopped;
  private boolean telling;
  private boolean tellAgain;

  /**
   * A registration that has not begun.
   *
   * @param worker id with incarnation
   * @param record the worker as it is now, given the number of the heartbeat
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
    this.renewals = new Renewals(loop, worker, settings.heartbeat());
    this.renewed = moment();
  }

  private Moment moment() {
    return new Moment(loop.time().nanos(), loop.time().wall());
  }

  void start() {
    register();
  }

  /** Whether an attempt may be started at this moment. */
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
            "Worker {}: its calendar has gone further than its stopwatch. The process was suspended, or its clock was set."
                + " It begins no attempt before its lease has been renewed.",
            worker);
      }
      int now = life;
      loop.post(() -> renew(now));
    }
  }

  /**
   * When the worker became known under its present lease; none while it is not. What it was given before that may have been taken
   * from it meanwhile, and must not be begun.
   */
  long registeredAt() {
    return registeredAt;
  }

  /** The lease under which the worker is known. */
  OptionalLong lease() {
    return lease == null || stopped ? OptionalLong.empty() : OptionalLong.of(lease.id());
  }

  /** The worker is gone, for everybody, at once. */
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
          trusting = false; // what was believed of another lease
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
    // From now on only what is left of it: the answer may have been long under way, or this process
    // may have stood still.
    long left = trustedUntil - loop.time().nanos();
    var unused = loop.timeout(Duration.ofNanos(Math.max(0, left)), () -> {
      // Silence was awaited until this moment only: behind a later one there may be an answer in
      // the mail.
      if (now == life && trusting && trustedUntil == until) {
        doubt("its lease could not be renewed in time, " + renewals.state(renewed.nanos));
      }
    });
  }

  private void doubt(String why) {
    if (trusting) {
      trusting = false;
      LOG.warn(
          "Worker {} cannot trust its lease of {}: {}. It stops its attempts, and the leader gives their tasks to others"
              + " once the lease has ended.",
          worker,
          settings.lease(),
          why);
      owner.doubted(why);
    }
  }

  /**
   * Only now that the old lease is over for certain is there a new one: a record that was sent under the old one and is late would
   * otherwise tie the worker to a lease that nobody renews.
   */
  private void ended() {
    doubt("its lease has ended");
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
          checking = false; // the trust runs out by itself unless a later renewal is answered
        });
  }

  /** Writes the worker's record now: with every heartbeat, and when something changed that others must know. */
  void tell() {
    tell(() -> {});
  }

  /**
   * The same for what may change many times in a moment: the record names all that is held, so one is under way at a time, and the last
   * says everything.
   */
  void tellSoon() {
    if (telling) {
      tellAgain = true;
      return;
    }
    telling = true;
    tellAgain = false;
    tell(() -> {
      telling = false;
      if (tellAgain) {
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
        failure -> answered.run()); // the next heartbeat says it again
  }

  private void revoke(Lease ended) {
    loop.onResult(store.revoke(ended.id()), done -> {}, failure -> {
      // It ends by itself.
    });
  }
}
