package io.belfry.core.record;

import java.util.List;

/**
 * Recent events, as the leader publishes them to subscribed nodes. Overwritten by the next batch.
 *
 * @param by the leader, with its incarnation
 * @param term its term
 * @param first the number of the first event, counted from 0 in each term: a gap in the numbers means missed events
 */
public record EventBatch(String by, long term, long first, List<Told> events) {
  public EventBatch {
    events = List.copyOf(events);
  }
}
