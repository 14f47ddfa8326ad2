package io.belfry.store;

/**
 * How an engine wants its batches. A commit that alone is too heavy still travels, alone.
 *
 * @param commitsMax in one batch
 * @param writesMax in one batch, all commits together
 * @param nestingMax commits of the batch plus the operations of its largest commit (etcd counts along the nesting)
 * @param bytesMax keys and values of one batch
 * @param batchesAwayMax batches on their way at the same time
 * @param enough commits that must wait before a batch leaves while another is away
 * @param disjoint whether commits of one batch, and of batches away together, must not touch each other's keys
 */
public record BatchRule(
    int commitsMax,
    int writesMax,
    int nestingMax,
    long bytesMax,
    int batchesAwayMax,
    int enough,
    boolean disjoint) {

  boolean fits(Load load) {
    return load.commits <= commitsMax
        && load.writes <= writesMax
        && load.commits + load.largest <= nestingMax
        && load.bytes <= bytesMax;
  }

  /** What a batch weighs. */
  record Load(int commits, int writes, int largest, long bytes) {
    static final Load EMPTY = new Load(0, 0, 0, 0);

    Load plus(Commit commit, long itsBytes) {
      return new Load(
          commits + 1,
          writes + commit.writes().size(),
          Math.max(largest, commit.operations()),
          bytes + itsBytes);
    }
  }
}
