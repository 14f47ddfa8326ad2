package io.belfry.tests.simulation;

import io.belfry.store.Key;
import java.util.List;

/** Hears what the engine does, as it does it. The laws are such ears. */
interface EngineEar {

  /** Somebody is going to read these. */
  default void asked(String by, List<Key> keys) {}

  /** The step was taken; on Redis it may still be taken back. */
  default void applied(EngineStep step) {}

  /** The step can no longer be taken back. Called in the order of the steps. */
  default void settled(EngineStep step) {}

  /** The step was taken back by a failover, and never settled. */
  default void takenBack(EngineStep step) {}
}
