package io.belfry.core.record;

import io.belfry.model.task.Task;
import java.util.List;

/**
 * Finished tasks of one lot.
 *
 * @param followed whether the jobs that run after these tasks have been started
 */
public record Segment(boolean followed, List<Task> tasks) {}
