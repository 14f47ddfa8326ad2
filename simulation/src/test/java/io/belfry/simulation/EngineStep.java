package io.belfry.simulation;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One atomic step of the engine, with all it takes to tell watchers, to judge it and to take it back.
 *
 * @param serial never given out twice, not even after a rollback
 * @param by id of the node that asked for it; {@code engine} when a lease ran out
 * @param commits those that were applied by it; none when a lease was granted or ended
 * @param undo what stood under each key before, in the order of the writes
 */
record EngineStep(
    long serial,
    long revision,
    String by,
    List<Commit> commits,
    List<Change> changes,
    List<Undo> undo,
    @Nullable Held granted,
    @Nullable Held ended) {

  record Slot(byte[] value, long revision, long lease) {}

  record Undo(Key key, @Nullable Slot before) {}

  /** What stood under the key before this step, null when nothing did. */
  @Nullable
  Slot before(Key key) {
    for (Undo one : undo) {
      if (one.key.equals(key)) {
        return one.before;
      }
    }
    return null;
  }
}
