package io.belfry.core.history;

import io.belfry.model.task.Task;
import java.util.List;
import java.util.Optional;

/**
 * One page of tasks.
 *
 * @param next cursor of the next page; empty if this is the last. A page may be short, even empty, although there is more: the work
 *     per page is limited
 */
public record Listing(List<Task> tasks, Optional<String> next) {
  public Listing {
    tasks = List.copyOf(tasks);
  }
}
