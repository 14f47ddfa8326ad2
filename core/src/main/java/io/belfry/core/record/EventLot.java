package io.belfry.core.record;

import java.util.List;

/**
 * What happened lately, as the leader tells it to nodes that want to know. Overwritten by the next.
 *
 * @param by the leader, with its incarnation
 * @param term its term
 * @param first the number of the first event, counted from 0 in each term: whoever finds a gap has missed something
 */
public record EventLot(String by, long term, long first, List<Told> events) {
  public EventLot {
    events = List.copyOf(events);
  }
}
