package io.belfry.library;

import io.belfry.store.EngineHealth;
import java.time.Duration;
import java.util.Optional;

/**
 * Health of a node, from its own memory.
 *
 * @param engine health of the store's engine
 * @param electionEngine health of the election engine, if it is a separate one
 * @param sinceStep time since the scheduler loop last ran; grows while the loop is blocked
 * @param overdue how long a fire has been due while this node was the leader, was not paused, and no fire succeeded; zero if none is overdue
 * @param workerLeft whether this node's worker shut down because of its idle timeout
 */
public record NodeHealth(
    EngineHealth.View engine,
    Optional<EngineHealth.View> electionEngine,
    Duration sinceStep,
    Duration overdue,
    boolean workerLeft) {}
