package io.belfry.core.record;

import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a job has progressed. Rewritten by every fire and, in the same commit, by every change of the job, so that a fire of the old
 * definition cannot follow an acknowledged change.
 *
 * @param generation of the definition that this cursor belongs to
 * @param active whether it fires by itself: enabled, and with a trigger that determines its next time
 * @param next the oldest due instant that has no outcome yet; empty if there is none, or none before {@code previous} ends
 * @param last the newest instant that has an outcome; no instant at or before it is ever fired again
 * @param previous the task of the newest fire, if the overlap policy or a fixed delay needs it
 */
public record Cursor(
    long generation,
    boolean active,
    Optional<Instant> next,
    Optional<Instant> last,
    Optional<TaskId> previous) {}
