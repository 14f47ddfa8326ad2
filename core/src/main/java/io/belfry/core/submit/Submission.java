package io.belfry.core.submit;

import io.belfry.core.record.DedupRecord;
import io.belfry.model.Check;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import java.util.Optional;

/**
 * A task to be taken in. A caller's key with half a character is refused as {@link io.belfry.model.InvalidException}, because it becomes the name
 * of a record.
 *
 * @param once what makes it the same submission when it comes again, remembered for the window of idempotency: the caller's key, or
 *     an id that the caller chose
 * @param asked what the caller said, by which the same submission is told from another one under the same key; the task's own work,
 *     unless that was filled in from a definition that may have changed by the time the caller asks again
 */
public record Submission(Task task, Optional<String> once, Work asked) {

  public Submission {
    once.ifPresent(text -> Check.whole("idempotencyKey", text));
  }

  /** One that is told from others by the task's own work. */
  public Submission(Task task, Optional<String> once) {
    this(task, once, task.work());
  }

  /** A task under a fresh id; its own key, if it has one, makes it the same submission when it comes again. */
  public static Submission of(Task task) {
    return new Submission(task, task.key().map(key -> "key:" + key));
  }

  /** A task under an id that the caller chose, and chooses again when it is not sure. */
  public static Submission named(Task task) {
    return new Submission(task, Optional.of(of(task).once.orElse("id:" + task.id())));
  }

  /** The same submission, told from others by what the caller said. */
  public Submission askedAs(Work said) {
    return new Submission(task, once, said);
  }

  /** What is remembered of it. */
  DedupRecord record() {
    return DedupRecord.of(task.id(), asked);
  }
}
