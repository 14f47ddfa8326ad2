package io.belfry.core.record;

import io.belfry.model.task.TaskId;
import java.util.List;
import java.util.Map;

/**
 * The claimable tasks of a queue in pull mode, in order. Overwritten by the next offer.
 *
 * @param queueRevision of the queue's record: a claim based on an older one is refused
 * @param needs labels that workers must have; items refer to them by index
 */
public record Offer(long queueRevision, List<Map<String, String>> needs, List<Item> items) {

  /**
   * A claimable task.
   *
   * @param revision that its record must still have
   * @param need index of the labels that its worker must have
   */
  public record Item(TaskId task, long revision, int need) {}

  public Offer {
    needs = List.copyOf(needs);
    items = List.copyOf(items);
    for (Item item : items) {
      if (item.need < 0 || item.need >= needs.size()) {
        throw new IllegalArgumentException(
            "an item names need " + item.need + " of " + needs.size());
      }
    }
  }
}
