package io.belfry.store;

/**
 * How an engine wants its lots. A commit that alone is too heavy still travels, alone.
 *
 * @param commitsMax in one lot
 * @param writesMax in one lot, all commits together
 * @param nestingMax commits of the lot plus the operations of its largest commit (etcd counts along the nesting)
 * @param bytesMax keys and values of one lot
 * @param lotsAwayMax lots on their way at the same time
 * @param enough commits that must wait before a lot leaves while another is away
 * @param disjoint whether commits of one lot, and of lots away together, must not touch each other's keys
 */
public record LotRule(
    int commitsMax,
    int writesMax,
    int nestingMax,
    long bytesMax,
    int lotsAwayMax,
    int enough,
    boolean disjoint) {

  boolean fits(Load load) {
    return load.commits <= commitsMax
        && load.writes <= writesMax
        && load.commits + load.largest <= nestingMax
        && load.bytes <= bytesMax;
  }

  /** What a lot weighs. */
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
