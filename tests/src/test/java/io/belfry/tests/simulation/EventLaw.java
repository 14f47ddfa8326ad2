package io.belfry.tests.simulation;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.core.event.Telling;
import io.belfry.core.record.EventKind;
import java.util.HashMap;
import java.util.Map;

/**
 * What a node that does not lead hears: of each attempt of a task, its assignment, its start and its end in this order, and each at
 * most once; and leaders one after another.
 *
 * <p>Threading: confined to its world.
 */
final class EventLaw implements Observer {
  private final World world;
  private final String node;
  private final Map<String, Last> last = new HashMap<>();
  private long term;

  private record Last(EventKind kind, long term) {}

  EventLaw(World world, String node) {
    this.world = world;
    this.node = node;
  }

  @Override
  public void saw(Happening happening) {
    world.count("remote events");
    if (happening instanceof Happening.OfTask of) {
      EventKind now = Telling.kind(happening);
      String attempt = of.task().id() + " " + of.task().token();
      Last before = last.put(attempt, new Last(now, term));
      if (before != null && rank(before.kind) >= rank(now) && !mayRepeat(before, now)) {
        throw world.violation(
            "events of a task come in order",
            node + " heard " + now + " of " + attempt + " after " + before.kind);
      }
    } else if (happening instanceof Happening.LeaderChanged(var won)) {
      if (won.number() <= term) {
        throw world.violation(
            "leaders come one after another", node + " heard of " + won + " after term " + term);
      }
      term = won.number();
    }
  }

  /** A new leader does not know whether the last one has announced what came lately. */
  private boolean mayRepeat(Last before, EventKind now) {
    return now == EventKind.TASK_SUBMITTED
        && before.kind == EventKind.TASK_SUBMITTED
        && before.term < term;
  }

  private static int rank(EventKind kind) {
    return switch (kind) {
      case TASK_SUBMITTED -> 0;
      case TASK_SCHEDULED -> 1;
      case TASK_STARTED -> 2;
      case TASK_RETRYING -> 3;
      default -> 4; // also while it waits to be tried again
    };
  }
}
