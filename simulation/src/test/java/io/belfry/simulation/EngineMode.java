package io.belfry.simulation;

import io.belfry.store.BatchRule;

/** Which engine the simulated one behaves like, in what its promises are made of. */
enum EngineMode {
  /** One client, every commit a durable step; what was acknowledged survives a restart. */
  PLAIN,
  /** Batches are one step, all their compares come before all their writes, batches on their way overtake each other. */
  ETCD,
  /** A primary with a tail that a failover takes back; acknowledged means replicated. */
  REDIS;

  /** How the committer gathers batches for it. */
  BatchRule rule() {
    return switch (this) {
      case PLAIN -> new BatchRule(1_000, 10_000, Integer.MAX_VALUE, 4 << 20, 64, 16, false);
      case ETCD -> new BatchRule(100, 12_800, 127, 1 << 20, 4, 4, true);
      case REDIS -> new BatchRule(200, 200, Integer.MAX_VALUE, 1 << 20, 3, 32, false);
    };
  }

  /** The same with a committer that forgets which keys are away. */
  BatchRule carelessRule() {
    BatchRule rule = rule();
    return new BatchRule(
        rule.commitsMax(),
        rule.writesMax(),
        rule.nestingMax(),
        rule.bytesMax(),
        rule.batchesAwayMax(),
        2,
        false);
  }
}
