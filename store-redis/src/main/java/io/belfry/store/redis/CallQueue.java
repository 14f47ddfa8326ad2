package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The calls of one link: which wait, which are away on the wire, which must be asked again.
 *
 * <pre>
 *   submit ──▶ waiting ──next──▶ away ──land──▶ answered, or unacknowledged ──WAIT──▶ answered
 *                 ▲                │ refused: nothing was done
 *                 └──── again ◀────┘ in order, once all that is away has landed and the remedy is applied
 * </pre>
 *
 * <p>Law: from {@code submit} until it is completed a call is in exactly one of the four places ({@link CallPlaces}), and moves between
 * them only under the lock. So whatever happens to a connection or to a thread, {@link #expire(long)} finds every call whose
 * deadline has passed, and {@link #drainClosed()} every call there is.
 *
 * <p>What was refused goes back to the front in its order, and nothing is sent until then. What was on the wire behind it may be carried out all the
 * same, by a server that is ready again: then what was refused fails. So nobody overtakes a commit that takes effect.
 *
 * <p>Threading: safe, by one lock. Calls are completed outside of it.
 */
final class CallQueue {
  private static final int WAITING_MAX = 10_000;
  private static final int AWAY_MAX = 256;

  /** What must happen before refused calls are asked again; the later, the stronger. */
  enum Remedy {
    NONE,
    AGAIN,
    RELOAD,
    RECONNECT
  }

  /** What the writing thread is to do next. */
  sealed interface Work {
    /**
     * To be written in this order.
     *
     * @param acknowledgements to ask for behind the calls; 0: none
     */
    record Send(List<PendingAnswer.Asked> flights, int acknowledgements) implements Work {}

    record Mend(Remedy remedy, String why) implements Work {}

    record Nothing() implements Work {}

    /** The wire is broken, or the link closed. */
    record Stop() implements Work {}
  }

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final CallPlaces places = new CallPlaces();
  private Remedy remedy = Remedy.NONE;
  private String remedyWhy = "";
  /** When the oldest flight took off, or the one before it landed, whichever was later. */
  private long progress;

  private boolean broken;
  private boolean closed;

  CallQueue(Time time) {
    this.time = time;
  }

  void submit(Call<?> call) {
    StoreException refusal = null;
    lock.lock();
    try {
      if (closed) {
        refusal = new StoreException.Closed();
      } else if (places.waiting() >= WAITING_MAX) {
        refusal = new StoreException.Overloaded(
            "At most " + WAITING_MAX
                + " requests may wait for Redis, so that memory stays bounded, and that many do. Ask more slowly.");
      } else {
        places.await(call);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (refusal != null) {
      call.fail(refusal);
    }
  }

  /** For the writing thread: what to do next, or nothing after a while. */
  Work next(long nanos, Supplier<DataSetLife> known) {
    var outlived = new ArrayList<Call<?>>(0);
    Work work = await(nanos, known, outlived);
    outlived.forEach(call -> call.fail(Call.outlived()));
    return work;
  }

  private Work await(long nanos, Supplier<DataSetLife> known, List<Call<?>> outlived) {
    lock.lock();
    try {
      for (long left = nanos; ; left = changed.awaitNanos(left)) {
        if (broken || closed) {
          return new Work.Stop();
        }
        if (remedy != Remedy.NONE && places.away() == 0) {
          return mended();
        }
        if (remedy == Remedy.NONE && places.waiting() > 0 && places.away() < AWAY_MAX) {
          return takeOff(known.get(), outlived);
        }
        if (left <= 0) {
          return new Work.Nothing();
        }
      }
    } catch (InterruptedException e) {
      return new Work.Stop();
    } finally {
      lock.unlock();
    }
  }

  private Work.Mend mended() {
    var applied = new Work.Mend(remedy, remedyWhy);
    places.requeue();
    remedy = Remedy.NONE;
    return applied;
  }

  private Work.Send takeOff(DataSetLife known, List<Call<?>> outlived) {
    if (places.away() == 0) {
      progress = time.nanos();
    }
    Work.Send send = places.takeOff(known, AWAY_MAX, outlived);
    changed.signalAll();
    return send;
  }

  /** Before the first byte of a call is written. False: it was given up meanwhile, and must not be written. */
  boolean begins(PendingAnswer.Asked flight) {
    lock.lock();
    try {
      flight.begun = !flight.withdrawn;
      return flight.begun;
    } finally {
      lock.unlock();
    }
  }

  /** A call that cannot be written: nothing of it was. */
  void withdraw(PendingAnswer.Asked flight, RuntimeException because) {
    lock.lock();
    try {
      places.withdraw(flight);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    flight.call().reject(because);
  }

  /**
   * An answer was read that refuses a call, and that will land once it is judged: from now on nothing is sent, so that nobody leaves with
   * what is learned from it before those that were refused for not knowing it.
   */
  void refusing(Remedy after, String why) {
    lock.lock();
    try {
      strengthen(after, why);
    } finally {
      lock.unlock();
    }
  }

  /** For the reading thread: whether an answer is due; false when the session is over. */
  boolean awaitAway() {
    lock.lock();
    try {
      while (places.away() == 0 && !broken && !closed) {
        changed.await();
      }
      return !broken && !closed;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Whose answer the one is that was just read: asked after it, because calls that were not yet written may be withdrawn. */
  PendingAnswer due() {
    lock.lock();
    try {
      PendingAnswer first = places.firstAway();
      if (first == null) {
        throw new IllegalStateException("Redis answered although nothing was asked.");
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** The answer to the call that was due. */
  void land(PendingAnswer.Asked flight, Verdict verdict) {
    Call<?> call = flight.call();
    List<Call<?>> overtaken;
    lock.lock();
    try {
      leave(flight);
      overtaken = verdict.mayBeDone() ? places.overtakenBy(call) : List.of();
      if (verdict instanceof Verdict.Again refused) {
        call.refused(refused.why());
        strengthen(refused.after(), refused.why());
      } else if (verdict instanceof Verdict.Denied denied) {
        strengthen(Remedy.RECONNECT, String.valueOf(denied.cause().getMessage()));
      }
      // Whoever gave up on it meanwhile does not need it any more.
      if (!call.isDone()) {
        if (verdict instanceof Verdict.Hold hold) {
          places.holdUntilAcknowledged(call, hold.reply());
        } else if (verdict instanceof Verdict.Again) {
          places.askAgain(call);
        }
      }
    } finally {
      lock.unlock();
    }
    overtaken.forEach(Call::giveUpBecauseOvertaken);
    if (verdict instanceof Verdict.Complete done) {
      call.complete(done.reply());
    } else if (verdict instanceof Verdict.Fail last) {
      call.fail(last.cause());
    } else if (verdict instanceof Verdict.Denied denied) {
      call.deny(denied.cause(), denied.midway());
    }
  }

  /** The answer to a WAIT: whether enough replicas have what was asked before it. */
  void landAcknowledgements(PendingAnswer.Acknowledgements flight, boolean enough, String why) {
    List<CallPlaces.Answered> covered;
    var unknown = new ArrayList<Call<?>>();
    lock.lock();
    try {
      leave(flight);
      covered = places.takeUnacknowledged();
      if (!enough) {
        covered.forEach(each -> places.loseOrRepeat(each.call(), why, unknown));
        strengthen(Remedy.RECONNECT, why);
      }
    } finally {
      lock.unlock();
    }
    if (enough) {
      covered.forEach(each -> each.call().complete(each.reply()));
    }
    unknown.forEach(Call::giveUp);
  }

  private void leave(PendingAnswer flight) {
    places.leave(flight);
    progress = time.nanos();
    changed.signalAll();
  }

  private void strengthen(Remedy after, String why) {
    if (remedy.compareTo(after) < 0) {
      remedy = after;
      remedyWhy = why;
    }
  }

  void broke() {
    lock.lock();
    try {
      broken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether an answer has been due for that long, and the connection is still thought to be good. */
  boolean isSilentFor(Duration patience) {
    lock.lock();
    try {
      return !broken && places.away() > 0 && time.nanos() - progress >= patience.toNanos();
    } finally {
      lock.unlock();
    }
  }

  /** After both threads of a session have left: what was away is lost, or asked again. */
  void endSession(String why) {
    var lost = new ArrayList<Call<?>>();
    var overtaken = new ArrayList<Call<?>>();
    lock.lock();
    try {
      places.land(why, lost, overtaken);
      remedy = Remedy.NONE;
      broken = false;
    } finally {
      lock.unlock();
    }
    overtaken.forEach(Call::giveUpBecauseOvertaken);
    lost.forEach(Call::giveUp);
  }

  /** Between sessions: everybody hears why. */
  void waitInVain(String why) {
    lock.lock();
    try {
      places.eachWaiting(call -> call.refused(why));
    } finally {
      lock.unlock();
    }
  }

  /** Between sessions: whoever waits fails with this reason, or as unknown when it was asked before. */
  void failAll(StoreException cause) {
    List<Call<?>> taken;
    lock.lock();
    try {
      taken = places.takeWaiting();
    } finally {
      lock.unlock();
    }
    taken.forEach(call -> call.failOrUnknown(cause));
  }

  /** A pause that ends early when the link is closed. */
  void pause(long nanos) {
    lock.lock();
    try {
      for (long left = nanos; left > 0 && !closed; ) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread, it ends by close(): a pause that is shorter does no harm.
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Nothing is taken any more. What waits or is away is completed by {@link #drainClosed()}. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void drainClosed() {
    takeAll(call -> true).forEach(Call::giveUpBecauseClosed);
  }

  /** Gives up every call whose deadline has passed, wherever it is. */
  void expire(long now) {
    takeAll(call -> call.isOverdue(now)).forEach(Call::giveUp);
  }

  private List<Call<?>> takeAll(Predicate<Call<?>> which) {
    lock.lock();
    try {
      List<Call<?>> taken = places.take(which);
      if (!taken.isEmpty()) {
        changed.signalAll();
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** How long a call may wait and be away. */
  long deadline(Duration patience) {
    return time.nanos() + patience.toNanos();
  }
}
