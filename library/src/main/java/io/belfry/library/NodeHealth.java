package io.belfry.library;

import io.belfry.store.EngineHealth;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether a node can do its work, as far as it knows without asking anybody.
 *
 * @param engine of the engine that everything is kept on
 * @param electionEngine of the engine on which leaders are elected, if that is another
 * @param sinceStep since the node's loop last ran a step; grows while it is stuck in one
 * @param overdue for how long a fire has been due while this node led, was not paused, and no fire got through; zero if none is overdue
 * @param workerLeft whether the worker of this node left by its idle timeout
 */
public record NodeHealth(
    EngineHealth.View engine,
    Optional<EngineHealth.View> electionEngine,
    Duration sinceStep,
    Duration overdue,
    boolean workerLeft) {}
