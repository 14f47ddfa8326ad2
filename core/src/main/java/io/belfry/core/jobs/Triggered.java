package io.belfry.core.jobs;

import io.belfry.model.task.TaskId;

/**
 * A task that the leader makes in a moment, or has made.
 *
 * @param repeated whether the same had been asked for before
 */
public record Triggered(TaskId task, boolean repeated) {}
