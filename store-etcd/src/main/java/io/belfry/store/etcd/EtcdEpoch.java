package io.belfry.store.etcd;

import io.belfry.store.Revision;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The data set as this client knows it: its epoch, the cluster it lies on, and the etcd revision of the record that says
 * so. An etcd revision means something only together with its era.
 *
 * <p>Threading: safe; what was seen only grows.
 */
final class EtcdEpoch {
  private final long epoch;
  private final long cluster;
  private final long record;
  private final AtomicLong seen = new AtomicLong();

  EtcdEpoch(long epoch, long cluster, long record) {
    this.epoch = epoch;
    this.cluster = cluster;
    this.record = record;
  }

  long epoch() {
    return epoch;
  }

  long cluster() {
    return cluster;
  }

  long record() {
    return record;
  }

  long revision(long etcdRevision) {
    return etcdRevision == 0 ? Revision.NONE : Revision.of(epoch, etcdRevision);
  }

  /** An entry of this revision was seen, so a data set that has not come as far has been taken back. */
  void saw(long etcdRevision) {
    seen.accumulateAndGet(etcdRevision, Math::max);
  }

  long seen() {
    return seen.get();
  }

  @Override
  public String toString() {
    return "epoch " + epoch + " on cluster " + Long.toHexString(cluster);
  }
}
