package io.belfry.core.record;

import io.belfry.model.task.TaskId;
import java.util.List;
import java.util.Map;

/**
 * What workers may claim of a queue in pull mode, the first to be done first. Overwritten by the next.
 *
 * @param queueRevision of the queue's record: a claim by an offer under an older one is refused
 * @param needs labels that workers must have; items name them by their place
 */
public record Offer(long queueRevision, List<Map<String, String>> needs, List<Item> items) {

  /**
   * A task to be claimed.
   *
   * @param revision that its record must still have
   * @param need place of the labels that its worker must have
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
