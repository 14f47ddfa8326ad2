package io.belfry.core.retain;

import io.belfry.model.task.Task;
import java.util.List;
import java.util.Optional;

/**
 * One page of tasks.
 *
 * @param next where to go on; empty when everything has been seen. A page may be short, even empty, while there is more: it looked
 *     at as much as one page may
 */
public record Listing(List<Task> tasks, Optional<String> next) {
  public Listing {
    tasks = List.copyOf(tasks);
  }
}
