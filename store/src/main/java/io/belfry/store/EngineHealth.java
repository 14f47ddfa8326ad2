package io.belfry.store;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether an engine accepts writes, judged by what became of every commit and every grant of a lease that went to it.
 *
 * <pre>
 *   writable ──a write fails──▶ outage (since the first failure)
 *      ▲                           │
 *      └──── a commit succeeds ────┘ and the latest failure is a second old; three seconds if an operator must act (full, denied, damaged)
 * </pre>
 *
 * An engine that refuses some writes may accept others, which is why one success among failures does not end an outage. It is reported once
 * it lasts for a second. Nothing is known of an engine to which nothing is sent: the owner writes something now and then.
 *
 * <p>Threading: safe. A success costs one volatile write; only failures lock.
 */
public final class EngineHealth {
  private static final long QUIET = TimeUnit.SECONDS.toNanos(3);
  /** A failure that is over sooner is a hiccup and is not reported. */
  private static final long LASTS = TimeUnit.SECONDS.toNanos(1);
  /** So long nothing has succeeded before new requests are refused without asking the engine. */
  private static final long KNOWN_AWAY = TimeUnit.SECONDS.toNanos(2);
  /** A commit must be answered by then, with other commits succeeding or not. */
  private static final long LOST = TimeUnit.SECONDS.toNanos(30);

  /**
   * Writes fail.
   *
   * @param reason of the latest failure
   * @param cause the latest failure, in the words of the adapter; may name addresses
   * @param lasted since the first failure
   * @param failures since then
   */
  public record Outage(RefusalReason reason, String cause, Duration lasted, long failures) {}

  /**
   * All that is known at one moment.
   *
   * @param outage empty while writes succeed
   * @param inFlight commits without an answer
   * @param oldestInFlight for how long the oldest of them has waited
   * @param sinceCommit since the latest commit that was answered; since the opening if there was none
   * @param refusals commits and grants that failed, by reason
   * @param recoveries outages that were reported and are over
   * @param reconnects connections to the engine that were given up and made anew, with or without an outage
   * @param endpoints where the servers of the engine listen, as far as is known
   */
  public record View(
      Optional<Outage> outage,
      long inFlight,
      Duration oldestInFlight,
      Duration sinceCommit,
      Map<RefusalReason, Long> refusals,
      long recoveries,
      long reconnects,
      Set<Endpoint> endpoints) {

    /** Why the engine counts as not writable; empty if it is. */
    public Optional<RefusalReason> unwritable() {
      if (outage.isPresent()) {
        return outage.map(Outage::reason);
      }
      boolean silent = oldestInFlight.toNanos() >= QUIET && sinceCommit.toNanos() >= QUIET;
      boolean lost = oldestInFlight.toNanos() >= LOST;
      return silent || lost ? Optional.of(RefusalReason.UNKNOWN) : Optional.empty();
    }
  }

  /** Hears of outages. Threading: called by whatever thread has the answer; must be quick and must not throw. */
  public interface Listener {
    Listener NONE = new Listener() {
      @Override
      public void failing(Outage outage) {}

      @Override
      public void recovered(Outage outage) {}
    };

    /** Writes have failed for longer than a hiccup; called for every failure from then on. */
    void failing(Outage outage);

    /** The outage, of which {@link #failing} told, is over. */
    void recovered(Outage outage);
  }

  private static final class Running {
    final long sinceNanos;
    RefusalReason reason = RefusalReason.UNAVAILABLE;
    String cause = "";
    long latestNanos;
    long failures;
    boolean succeeded;
    boolean reported;

    Running(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  private final Time time;
  private final Listener listener;
  private final CommitsInFlight inFlight;
  private final Map<RefusalReason, LongAdder> refusals = new EnumMap<>(RefusalReason.class);
  private final LongAdder recoveries = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile LongSupplier reconnects = () -> 0;
  private volatile Supplier<Set<Endpoint>> endpoints = Set::of;
  private volatile long committedNanos;
  private volatile @Nullable Running running;

  public EngineHealth(Time time, Listener listener) {
    this.time = time;
    this.listener = listener;
    this.inFlight = new CommitsInFlight(time);
    this.committedNanos = time.nanos();
    for (RefusalReason reason : RefusalReason.values()) {
      refusals.put(reason, new LongAdder());
    }
  }

  /** Whom to ask how often connections were made anew, and where they lead. */
  void of(Store store) {
    reconnects = store::reconnects;
    endpoints = store::endpoints;
  }

  CommitsInFlight inFlight() {
    return inFlight;
  }

  /** The engine told the outcome of a commit, whatever it is. */
  void committed() {
    committedNanos = time.nanos();
    if (running != null) {
      endIfOver();
    }
  }

  private void endIfOver() {
    Optional<Outage> over = Optional.empty();
    lock.lock();
    try {
      Running now = running;
      if (now == null) {
        return;
      }
      now.succeeded = true;
      if (time.nanos() - now.latestNanos < (now.reason.needsOperator() ? QUIET : LASTS)) {
        return; // some succeed, others may still fail
      }
      running = null;
      if (now.reported) {
        recoveries.increment();
        over = Optional.of(outage(now));
      }
    } finally {
      lock.unlock();
    }
    over.ifPresent(listener::recovered);
  }

  /** A commit or the grant of a lease failed. */
  void failed(Throwable thrown) {
    RefusalReason reason = RefusalReason.of(thrown);
    Objects.requireNonNull(refusals.get(reason)).increment();
    if (!reason.isOfEngine()) {
      return;
    }
    Optional<Outage> lasting = Optional.empty();
    lock.lock();
    try {
      long at = time.nanos();
      Running now = running;
      if (now == null) {
        now = new Running(at);
      }
      now.reason = reason;
      now.cause = String.valueOf(RefusalReason.unwrapped(thrown).getMessage());
      now.latestNanos = at;
      now.failures++;
      running = now;
      if (lasts(now, at)) {
        now.reported = true;
        lasting = Optional.of(outage(now));
      }
    } finally {
      lock.unlock();
    }
    lasting.ifPresent(listener::failing);
  }

  /** Whether it is more than a hiccup: failures over a second, or a second without a success since the first. */
  private boolean lasts(Running now, long at) {
    return now.reported
        || now.latestNanos - now.sinceNanos >= LASTS
        || (!now.succeeded && at - now.sinceNanos >= LASTS);
  }

  /** Reports an outage that lasts by now: for an engine whose refusals take long, to be called about once a second. */
  public void check() {
    if (running == null) {
      return;
    }
    Optional<Outage> lasting = Optional.empty();
    lock.lock();
    try {
      Running now = running;
      if (now != null && !now.reported && lasts(now, time.nanos())) {
        now.reported = true;
        lasting = Optional.of(outage(now));
      }
    } finally {
      lock.unlock();
    }
    lasting.ifPresent(listener::failing);
  }

  private Outage outage(Running now) {
    return new Outage(
        now.reason, now.cause, Duration.ofNanos(time.nanos() - now.sinceNanos), now.failures);
  }

  /** The present outage, hiccups included; from any thread. */
  public Optional<Outage> outage() {
    if (running == null) {
      return Optional.empty();
    }
    lock.lock();
    try {
      return Optional.ofNullable(running).map(this::outage);
    } finally {
      lock.unlock();
    }
  }

  private Optional<Outage> lastingOutage() {
    lock.lock();
    try {
      return Optional.ofNullable(running)
          .filter(now -> lasts(now, time.nanos()))
          .map(this::outage);
    } finally {
      lock.unlock();
    }
  }

  /** Whether a commit has been answered within so much time. */
  public boolean committedWithin(Duration limit) {
    return time.nanos() - committedNanos < limit.toNanos();
  }

  /**
   * The outage, if the engine is known to be away: something failed and nothing has succeeded for two seconds. Whoever asks for a change
   * now need not wait to be refused. The next success ends it at once.
   */
  public Optional<Outage> knownAway() {
    return running == null || time.nanos() - committedNanos < KNOWN_AWAY
        ? Optional.empty()
        : outage();
  }

  public View view() {
    Map<RefusalReason, Long> counts = new EnumMap<>(RefusalReason.class);
    refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
    return new View(
        lastingOutage(),
        inFlight.count(),
        inFlight.oldest(),
        Duration.ofNanos(Math.max(0, time.nanos() - committedNanos)),
        counts,
        recoveries.sum(),
        reconnects.getAsLong(),
        endpoints.get());
  }
}
