package io.belfry.simulation;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.core.event.Telling;
import io.belfry.core.record.EventKind;
import io.belfry.model.task.Token;
import java.util.HashMap;
import java.util.Map;

/**
 * What a node that does not lead hears: of each task its submission, and of each of its attempts the assignment, the start and the end,
 * in this order and each at most once, whoever leads; and leaders one after another.
 *
 * <p>Threading: confined to its world.
 */
final class EventLaw implements Observer {
  private final World world;
  private final String node;
  private final Map<String, Last> last = new HashMap<>();
  private long term;

  private record Last(EventKind kind, Token token) {}

  EventLaw(World world, String node) {
    this.world = world;
    this.node = node;
  }

  @Override
  public void observed(Happening happening) {
    world.count("remote events");
    if (happening instanceof Happening.OfTask of) {
      EventKind now = Telling.kind(happening);
      var heard = new Last(now, of.task().token());
      Last before = last.put(of.task().id().toString(), heard);
      if (before != null && !goesOn(before, heard)) {
        throw world.violation(
            "events of a task come in order",
            node + " heard " + heard + " of " + of.task().id() + " after " + before);
      }
    } else if (happening instanceof Happening.LeaderChanged(var won)) {
      if (won.number() <= term) {
        throw world.violation(
            "leaders come one after another", node + " heard of " + won + " after term " + term);
      }
      term = won.number();
    }
  }

  private static boolean goesOn(Last before, Last now) {
    int tokens = before.token.compareTo(now.token);
    return tokens < 0 || (tokens == 0 && rank(before.kind) < rank(now.kind));
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
