package io.belfry.simulation;

import io.belfry.store.Key;
import java.time.Duration;
import java.util.List;

/** Hears what the engine does, as it does it. The laws are such ears. */
interface EngineEar {

  /** A node calls the engine; the call may never arrive. */
  default void called(SimNode node, Refusals.Call call) {}

  /** A node gives up a lease that it had. */
  default void gaveUp(SimNode node, long lease) {}

  /**
   * A node has received the answer that its lease is alive.
   *
   * @param began when the step began in which it asked, in the time of the world
   * @param asked when it asked
   */
  default void renewed(SimNode node, long lease, long began, long asked, Duration ttl) {}

  /** Somebody is going to read these. */
  default void asked(String by, List<Key> keys) {}

  /** The step was taken; on Redis it may still be taken back. */
  default void applied(EngineStep step) {}

  /** The step can no longer be taken back. Called in the order of the steps. */
  default void settled(EngineStep step) {}

  /** The step was taken back by a failover, and never settled. */
  default void takenBack(EngineStep step) {}
}
