package io.belfry.tests.simulation;

/** Hears what the engine does, as it does it. The laws are such ears. */
interface EngineEar {

  /** The step was taken; on Redis it may still be taken back. */
  default void applied(EngineStep step) {}

  /** The step can no longer be taken back. Called in the order of the steps. */
  default void settled(EngineStep step) {}

  /** The step was taken back by a failover, and never settled. */
  default void takenBack(EngineStep step) {}
}
