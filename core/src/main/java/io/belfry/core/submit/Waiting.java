package io.belfry.core.submit;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.DedupRecord;
import io.belfry.core.record.Records;
import io.belfry.model.task.Task;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A submission and its waiting caller. Threading: immutable.
 *
 * @param key of the task
 * @param dedup the key of the record that identifies its repetition
 */
record Waiting(
    Submission submission, CompletableFuture<Receipt> caller, Key key, Optional<Key> dedup) {
  static Waiting of(Submission submission, CompletableFuture<Receipt> caller) {
    return new Waiting(
        submission, caller, Keys.task(submission.task().id()), submission.once().map(Keys::dedup));
  }

  Task task() {
    return submission.task();
  }

  /** Answers from the record of the earlier submission with the same key. */
  void answer(Entry before) {
    try {
      DedupRecord known = Records.dedup(before.value());
      caller.complete(
          known.content() == submission.record().content()
              ? new Receipt.Repeated(known.task())
              : new Receipt.Conflict(known.task()));
    } catch (DamagedRecordException e) {
      caller.completeExceptionally(e);
    }
  }
}
