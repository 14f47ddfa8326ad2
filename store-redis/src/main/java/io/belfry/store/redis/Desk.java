package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The calls of one link: which wait, which are away on the wire, which must be asked again.
 *
 * <pre>
 *   submit ──▶ waiting ──next──▶ away ──landed──▶ answered
 *                 ▲                │ refused: nothing was done
 *                 └── in order ────┘ once all that is away has landed, and the remedy is applied
 * </pre>
 *
 * <p>What was refused goes back to the front in its order, and nothing is sent until then: so nobody overtakes.
 *
 * <p>Threading: safe, by one lock.
 */
final class Desk {
  private static final int WAITING_MAX = 10_000;
  private static final int AWAY_MAX = 256;

  /** What must happen before refused calls are asked again; the later, the stronger. */
  enum Remedy {
    NONE,
    AGAIN,
    RELOAD,
    RECONNECT
  }

  /** Something whose answer is due on the wire. */
  sealed interface Flight {
    record Asked(Call<?> call, Known sent) implements Flight {}

    /** A WAIT that covers what was asked before it. */
    record Acknowledgements(int wanted) implements Flight {}
  }

  /** What the writing thread is to do next. */
  sealed interface Work {
    record Send(List<Call<?>> calls) implements Work {}

    record Mend(Remedy remedy) implements Work {}

    record Nothing() implements Work {}

    /** The wire is broken, or the link closed. */
    record Stop() implements Work {}
  }

  private record Answered(Call<?> call, List<?> reply) {}

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Call<?>> waiting = new ArrayDeque<>();
  private final ArrayDeque<Flight> away = new ArrayDeque<>();
  private final List<Answered> unacknowledged = new ArrayList<>();
  private final List<Call<?>> again = new ArrayList<>();
  private Remedy remedy = Remedy.NONE;
  private boolean broken;
  private boolean closed;

  Desk(Time time) {
    this.time = time;
  }

  void submit(Call<?> call) {
    StoreException refusal = null;
    lock.lock();
    try {
      if (closed) {
        refusal = new StoreException.Closed();
      } else if (waiting.size() >= WAITING_MAX) {
        refusal = new StoreException.Overloaded(
            "At most " + WAITING_MAX
                + " requests may wait for Redis, so that memory stays bounded, and that many do. Ask more slowly.");
      } else {
        waiting.add(call);
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
  Work next(long nanos) {
    expire();
    lock.lock();
    try {
      for (long left = nanos; ; left = changed.awaitNanos(left)) {
        if (broken || closed) {
          return new Work.Stop();
        }
        if (remedy != Remedy.NONE && away.isEmpty()) {
          return new Work.Mend(mended());
        }
        if (remedy == Remedy.NONE && !waiting.isEmpty() && away.size() < AWAY_MAX) {
          return new Work.Send(drain());
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

  private Remedy mended() {
    Remedy applied = remedy;
    requeue();
    remedy = Remedy.NONE;
    return applied;
  }

  private void requeue() {
    for (int i = again.size() - 1; i >= 0; i--) {
      waiting.addFirst(again.get(i));
    }
    again.clear();
  }

  private List<Call<?>> drain() {
    var calls = new ArrayList<Call<?>>();
    while (!waiting.isEmpty() && away.size() + calls.size() < AWAY_MAX) {
      calls.add(waiting.removeFirst());
    }
    return calls;
  }

  /** Before a call is written, so that its answer cannot arrive unexpected. */
  void takesOff(Flight flight) {
    lock.lock();
    try {
      away.add(flight);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** For the reading thread: whose answer is due next; empty when the session is over. */
  Optional<Flight> nextAway() {
    lock.lock();
    try {
      while (away.isEmpty() && !broken && !closed) {
        changed.await();
      }
      return broken || closed ? Optional.empty() : Optional.of(away.getFirst());
    } catch (InterruptedException e) {
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** The answer to the flight that was due has been dealt with. */
  void landed() {
    lock.lock();
    try {
      away.removeFirst();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing was done, or it does no harm to do it again. */
  void askAgain(Call<?> call, Remedy after) {
    lock.lock();
    try {
      again.add(call);
      remedy = remedy.compareTo(after) >= 0 ? remedy : after;
    } finally {
      lock.unlock();
    }
  }

  void reconnect() {
    lock.lock();
    try {
      remedy = Remedy.RECONNECT;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void holdUntilAcknowledged(Call<?> call, List<?> reply) {
    lock.lock();
    try {
      unacknowledged.add(new Answered(call, reply));
    } finally {
      lock.unlock();
    }
  }

  void acknowledged() {
    takeUnacknowledged().forEach(each -> each.call.complete(each.reply));
  }

  void notAcknowledged(String why) {
    for (Answered each : takeUnacknowledged()) {
      each.call.lost(why);
      if (each.call.mayBeAskedAgain()) {
        askAgain(each.call, Remedy.RECONNECT);
      } else {
        each.call.giveUp();
      }
    }
    reconnect();
  }

  private List<Answered> takeUnacknowledged() {
    lock.lock();
    try {
      List<Answered> all = List.copyOf(unacknowledged);
      unacknowledged.clear();
      return all;
    } finally {
      lock.unlock();
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

  /** After both threads of a session have left: what was away is lost, or asked again. */
  void endSession(String why) {
    var lost = new ArrayList<Call<?>>();
    lock.lock();
    try {
      var perhapsDone = new ArrayList<Call<?>>();
      unacknowledged.forEach(each -> perhapsDone.add(each.call));
      for (Flight flight : away) {
        if (flight instanceof Flight.Asked asked) {
          perhapsDone.add(asked.call());
        }
      }
      unacknowledged.clear();
      away.clear();
      for (Call<?> call : perhapsDone) {
        call.lost(why);
        (call.mayBeAskedAgain() ? again : lost).add(call);
      }
      requeue();
      remedy = Remedy.NONE;
      broken = false;
    } finally {
      lock.unlock();
    }
    lost.forEach(Call::giveUp);
  }

  /** Between sessions: everybody hears why, and whose time is over goes. */
  void waitInVain(String why) {
    lock.lock();
    try {
      waiting.forEach(call -> call.refused(why));
    } finally {
      lock.unlock();
    }
    expire();
  }

  void failAll(StoreException cause) {
    takeWaiting(call -> true).forEach(call -> call.fail(cause));
  }

  /** A pause that ends early when the link is closed. */
  void pause(long nanos) {
    lock.lock();
    try {
      for (long left = nanos; left > 0 && !closed; ) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
    takeWaiting(call -> true).forEach(Call::giveUpBecauseClosed);
  }

  private void expire() {
    long now = time.nanos();
    takeWaiting(call -> call.isOverdue(now)).forEach(Call::giveUp);
  }

  private List<Call<?>> takeWaiting(java.util.function.Predicate<Call<?>> which) {
    lock.lock();
    try {
      List<Call<?>> taken = new ArrayList<>();
      waiting.removeIf(call -> which.test(call) && taken.add(call));
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** How long a call may wait and be away. */
  long deadline(java.time.Duration patience) {
    return time.nanos() + TimeUnit.MILLISECONDS.toNanos(patience.toMillis());
  }
}
