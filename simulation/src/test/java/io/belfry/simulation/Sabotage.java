package io.belfry.simulation;

/** Promises that the simulated engine can be told to break, to see whether the laws notice. */
enum Sabotage {
  /** Watchers hear what a failover can still take back. */
  WATCH_BEFORE_REPLICATION,
  /** A failover takes steps back, and revisions repeat. */
  NO_NEW_EPOCH,
  /** Commits that touch each other's keys travel in one batch, and in batches that overtake each other. */
  BATCHES_NOT_DISJOINT
}
