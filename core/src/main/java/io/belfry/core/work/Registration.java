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
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a worker known: a lease, renewed by every heartbeat, and the worker's record under it.
 *
 * <p>Threading: confined to its loop.
 */
final class Registration {
  private static final Duration PAUSE = Duration.ofMillis(200);

  interface Owner {
    /** Trust is over: attempts must end before the lease does. */
    void doubted(String why);
  }

  private final Loop loop;
  private final Store store;
  private final String worker;
  private final WorkerSettings settings;
  private final LongFunction<WorkerRecord> record;
  private final Owner owner;
  private @Nullable Lease lease;
  private int life;
  private long beats;
  private long trustedUntil;
  private boolean trusting;
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
  }

  void start() {
    register();
  }

  /** Whether an attempt may be started at this moment. */
  boolean trusted() {
    return trusting && loop.time().nanos() - trustedUntil < 0;
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
    long sent = loop.time().nanos();
    loop.hear(
        store.grant(settings.lease()),
        granted -> {
          if (now != life) {
            revoke(granted);
            return;
          }
          lease = granted;
          trust(sent);
          beat(now);
        },
        failure -> {
          var unused = loop.in(PAUSE, () -> {
            if (now == life) {
              register();
            }
          });
        });
  }

  private void trust(long sent) {
    int now = life;
    Duration trust = settings.lease().minus(settings.margin());
    trusting = true;
    trustedUntil = sent + trust.toNanos();
    // From now on only what is left of it: the answer may have been long under way, or this process
    // may have stood still.
    long left = trustedUntil - loop.time().nanos();
    var unused = loop.in(Duration.ofNanos(Math.max(0, left)), () -> {
      if (now == life && trusting && !trusted()) {
        doubt("its lease could not be renewed in time");
      }
    });
  }

  private void doubt(String why) {
    if (trusting) {
      trusting = false;
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
    Lease held = lease;
    if (of != life || held == null) {
      return;
    }
    var unused = loop.in(settings.heartbeat(), () -> beat(of));
    long sent = loop.time().nanos();
    loop.hear(
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
          // The trust runs out by itself unless a later renewal is answered.
        });
    tell();
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
    loop.hear(
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
          }
        },
        failure -> answered.run()); // the next heartbeat says it again
  }

  private void revoke(Lease ended) {
    loop.hear(store.revoke(ended.id()), done -> {}, failure -> {
      // It ends by itself.
    });
  }
}
