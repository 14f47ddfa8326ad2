package io.belfry.store.redis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the calls of a link are. Law: each is in exactly one of the four places; whoever takes one out completes it, or puts
 * it into another.
 *
 * <p>Threading: confined to the lock of the {@link CallQueue}.
 */
final class CallPlaces {
  /** Answered, but not yet acknowledged by enough replicas. */
  record Answered(Call<?> call, List<?> reply) {}

  private final ArrayDeque<Call<?>> waiting = new ArrayDeque<>();
  private final ArrayDeque<PendingAnswer> away = new ArrayDeque<>();
  private final List<Answered> unacknowledged = new ArrayList<>();
  private final List<Call<?>> again = new ArrayList<>();

  void await(Call<?> call) {
    waiting.add(call);
  }

  int waiting() {
    return waiting.size();
  }

  int away() {
    return away.size();
  }

  @Nullable
  PendingAnswer firstAway() {
    return away.peekFirst();
  }

  /**
   * From waiting to away. Calls are away before they are written, so that their answers cannot arrive unexpected, and none is
   * nowhere.
   *
   * @param outlived gets the calls that make no sense any more, which leave
   */
  CallQueue.Work.Send takeOff(DataSetLife known, int awayMax, List<Call<?>> outlived) {
    var flights = new ArrayList<PendingAnswer.Asked>();
    boolean acknowledged = false;
    while (!waiting.isEmpty() && away.size() < awayMax) {
      Call<?> call = waiting.removeFirst();
      if (call.outlived(known)) {
        outlived.add(call);
      } else {
        var flight = new PendingAnswer.Asked(call, known);
        away.add(flight);
        flights.add(flight);
        acknowledged |= call.wantsAcknowledgement();
      }
    }
    int wanted = acknowledged ? known.acknowledgements() : 0;
    if (wanted > 0) {
      away.add(new PendingAnswer.Acknowledgements(wanted));
    }
    return new CallQueue.Work.Send(flights, wanted);
  }

  void leave(PendingAnswer flight) {
    if (!away.remove(flight)) {
      throw new IllegalStateException("An answer came for a call that is not due.");
    }
  }

  /** Out of away, before anything of it was written. */
  void withdraw(PendingAnswer.Asked flight) {
    flight.withdrawn = true;
    away.remove(flight);
  }

  void holdUntilAcknowledged(Call<?> call, List<?> reply) {
    unacknowledged.add(new Answered(call, reply));
  }

  List<Answered> takeUnacknowledged() {
    List<Answered> all = List.copyOf(unacknowledged);
    unacknowledged.clear();
    return all;
  }

  void askAgain(Call<?> call) {
    again.add(call);
  }

  /** A call may have taken effect: those that were asked before it and refused, and must not come behind it, leave. */
  List<Call<?>> overtakenBy(Call<?> done) {
    if (again.isEmpty() || !done.keepsOrder()) {
      return List.of();
    }
    List<Call<?>> overtaken = new ArrayList<>();
    take(again, Call::keepsOrder, overtaken);
    return overtaken;
  }

  /** To the front of those that wait, in their order. */
  void requeue() {
    for (int i = again.size() - 1; i >= 0; i--) {
      waiting.addFirst(again.get(i));
    }
    again.clear();
  }

  /** It may have been done: asked again where that does no harm, otherwise it leaves. */
  void loseOrRepeat(Call<?> call, String why, List<Call<?>> lost) {
    call.lost(why);
    (call.mayBeAskedAgain() ? again : lost).add(call);
  }

  /**
   * A connection has ended: what was written is lost or asked again, what was not waits again.
   *
   * @param overtaken gets what was refused before something that is lost, and leaves
   */
  void land(String why, List<Call<?>> lost, List<Call<?>> overtaken) {
    takeUnacknowledged().forEach(each -> loseOrRepeat(each.call, why, lost));
    for (PendingAnswer flight : away) {
      if (flight instanceof PendingAnswer.Asked asked) {
        if (asked.begun) {
          overtaken.addAll(overtakenBy(asked.call()));
          loseOrRepeat(asked.call(), why, lost);
        } else {
          asked.withdrawn = true;
          asked.call().refused(why);
          again.add(asked.call());
        }
      }
    }
    away.clear();
    again.removeIf(Call::isDone);
    requeue();
  }

  void eachWaiting(Consumer<Call<?>> action) {
    waiting.forEach(action);
  }

  List<Call<?>> takeWaiting() {
    List<Call<?>> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /**
   * Out of all four places. A call whose bytes are on the wire stays away, because its answer must still be read; but
   * whoever takes it completes it, and nobody hears of that answer.
   */
  List<Call<?>> take(Predicate<Call<?>> which) {
    List<Call<?>> taken = new ArrayList<>(0);
    take(waiting, which, taken);
    take(again, which, taken);
    for (Iterator<Answered> each = unacknowledged.iterator(); each.hasNext(); ) {
      Call<?> call = each.next().call;
      if (which.test(call)) {
        each.remove();
        call.lost("replicas did not acknowledge it in time");
        taken.add(call);
      }
    }
    for (Iterator<PendingAnswer> each = away.iterator(); each.hasNext(); ) {
      if (each.next() instanceof PendingAnswer.Asked asked && which.test(asked.call())) {
        if (asked.begun) {
          asked.call().lost("no answer in time");
        } else {
          asked.withdrawn = true;
          each.remove();
        }
        taken.add(asked.call());
      }
    }
    taken.removeIf(Call::isDone);
    return taken;
  }

  private static void take(
      Collection<Call<?>> from, Predicate<Call<?>> which, List<Call<?>> taken) {
    from.removeIf(call -> which.test(call) && taken.add(call));
  }
}
