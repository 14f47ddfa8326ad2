package io.belfry.store.etcd;

import io.belfry.store.StoreException;
import java.util.Optional;

/**
 * When a new epoch begins. Pure.
 *
 * <pre>
 *   no record                                       → write 1, or one more than we knew
 *   record of another cluster (restored elsewhere)  → write one more than the larger
 *   the data set went back behind what we saw       → write one more than the larger
 *   same epoch as we knew, but not the same record  → write one more
 *   a later epoch than we knew                      → somebody else did it: adopt
 * </pre>
 */
final class EpochRule {
  /** What stands in the data set's epoch record. */
  record Stored(long epoch, long cluster, long revision) {
    static Stored parse(String text, long revision) {
      String[] parts = text.split(" ", -1);
      try {
        return new Stored(Long.parseLong(parts[0]), Long.parseUnsignedLong(parts[1], 16), revision);
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw new StoreException.Damaged(
            "The epoch record of this namespace in etcd must be an epoch and a cluster id, but is '"
                + text + "'. Something else writes under our prefix: choose another prefix.",
            e);
      }
    }
  }

  sealed interface Verdict {
    /** The data set is as the era says. */
    record Adopt(EtcdEpoch era) implements Verdict {}

    /** The epoch to write. */
    record Begin(long epoch) implements Verdict {}
  }

  private EpochRule() {}

  static String print(long epoch, long cluster) {
    return epoch + " " + Long.toHexString(cluster);
  }

  /**
   * @param known what this client believed so far
   * @param cluster the id of the cluster that answered
   * @param wentBack whether the data set is behind what this client saw of it
   */
  static Verdict judge(
      Optional<EtcdEpoch> known, Optional<Stored> stored, long cluster, boolean wentBack) {
    long knownEpoch = known.map(EtcdEpoch::epoch).orElse(0L);
    if (stored.isEmpty()) {
      return new Verdict.Begin(knownEpoch + 1);
    }
    Stored record = stored.get();
    var written = new EtcdEpoch(record.epoch, record.cluster, record.revision);
    if (record.cluster == cluster && record.epoch > knownEpoch) {
      return new Verdict.Adopt(written);
    }
    boolean same = known
        .filter(era -> era.epoch() == record.epoch
            && era.record() == record.revision
            && era.cluster() == cluster
            && record.cluster == cluster)
        .isPresent();
    return same && !wentBack
        ? new Verdict.Adopt(known.orElseThrow())
        : new Verdict.Begin(Math.max(record.epoch, knownEpoch) + 1);
  }
}
