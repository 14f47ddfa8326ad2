package io.belfry.core.record;

import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a job has come. Rewritten by every fire and, in the same commit, by every change of the job, so that a fire cannot follow
 * an acknowledged change.
 *
 * @param generation of the definition that this cursor belongs to
 * @param active whether it fires by itself: enabled, and with a trigger that knows its next time
 * @param next the oldest due instant that has no outcome yet; empty when there is none, or none before {@code previous} ends
 * @param last the newest instant that has an outcome; nothing at or before it is ever fired again
 * @param previous the task of the newest fire, as long as overlap or a fixed delay asks for it
 */
public record Cursor(
    long generation,
    boolean active,
    Optional<Instant> next,
    Optional<Instant> last,
    Optional<TaskId> previous) {}
