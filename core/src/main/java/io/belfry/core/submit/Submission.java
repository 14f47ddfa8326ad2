package io.belfry.core.submit;

import io.belfry.core.record.DedupRecord;
import io.belfry.model.Check;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import java.util.Optional;

/**
 * A task to be submitted. A caller's key with an unpaired surrogate is refused as {@link io.belfry.model.InvalidException}, because it
 * becomes the name of a record.
 *
 * @param once identifies repetitions of this submission within the idempotency window: the caller's key, or
 *     an id that the caller chose
 * @param asked the caller's input, which tells a repetition from another submission with the same key; the task's own work,
 *     unless that was filled in from a definition that may have changed when the caller repeats it
 */
public record Submission(Task task, Optional<String> once, Work asked) {

  public Submission {
    once.ifPresent(text -> Check.whole("idempotencyKey", text));
  }

  /** A submission compared with others by the task's own work. */
  public Submission(Task task, Optional<String> once) {
    this(task, once, task.work());
  }

  /** A task with a fresh id; its own key, if it has one, identifies repetitions. */
  public static Submission of(Task task) {
    return new Submission(task, task.key().map(key -> "key:" + key));
  }

  /** A task with an id that the caller chose, and uses again to repeat the submission. */
  public static Submission named(Task task) {
    return new Submission(task, Optional.of(of(task).once.orElse("id:" + task.id())));
  }

  /** The same submission, compared with others by the caller's input. */
  public Submission askedAs(Work input) {
    return new Submission(task, once, input);
  }

  /** Its dedup record. */
  DedupRecord record() {
    return DedupRecord.of(task.id(), asked);
  }
}
