package io.belfry.core.record;

import io.belfry.model.task.Task;
import java.util.List;

/** Tasks that were submitted in one commit, told to the leader. */
public record News(List<Task> tasks) {}
