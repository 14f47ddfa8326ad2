package io.belfry.store.embedded;

import io.belfry.store.Change;
import java.util.List;

/** What watchers may hear of one step. Threading: immutable. */
record Step(long revision, List<Change> changes, long bytes) {
  /** Of the records around a change and its key. */
  private static final int OVERHEAD = 160;

  static Step of(long revision, List<Change> changes) {
    long bytes = 0;
    for (Change change : changes) {
      bytes += OVERHEAD + change.key().name().length;
      if (change instanceof Change.Put put) {
        bytes += put.entry().value().length;
      }
    }
    return new Step(revision, changes, bytes);
  }
}
