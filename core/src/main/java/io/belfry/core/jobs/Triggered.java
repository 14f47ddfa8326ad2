package io.belfry.core.jobs;

import io.belfry.model.task.TaskId;

/**
 * A task that the leader has created, or is about to create.
 *
 * @param repeated whether the same had been requested before
 */
public record Triggered(TaskId task, boolean repeated) {}
