package io.belfry.core.leader.task;

import io.belfry.model.task.CancelRequest;
import io.belfry.store.Entry;
import io.belfry.store.Revision;
import java.util.Optional;

/**
 * That a task is to end.
 *
 * @param entry the durable request, which goes with the task; none where the leader itself wants it
 */
public record CancelRequested(CancelRequest request, Optional<Entry> entry) {

  /** Asked again under the same key, the newer request is the stored one; the watch may deliver them in any order. */
  public boolean isNewerThan(CancelRequested other) {
    return revision() > other.revision();
  }

  private long revision() {
    return entry.map(Entry::revision).orElse(Revision.NONE);
  }
}
