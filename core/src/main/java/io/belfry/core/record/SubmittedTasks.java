package io.belfry.core.record;

import io.belfry.model.task.Task;
import java.util.List;

/** Tasks submitted in one commit, as a message to the leader. */
public record SubmittedTasks(List<Task> tasks) {}
