package io.belfry.core.submit;

import io.belfry.model.task.Task;
import java.util.Optional;

/**
 * A task to be taken in.
 *
 * @param once what makes it the same submission when it comes again, remembered for the window of idempotency: the caller's key, or
 *     an id that the caller chose
 */
public record Submission(Task task, Optional<String> once) {

  /** A task under a fresh id; its own key, if it has one, makes it the same submission when it comes again. */
  public static Submission of(Task task) {
    return new Submission(task, task.key().map(key -> "key:" + key));
  }

  /** A task under an id that the caller chose, and chooses again when it is not sure. */
  public static Submission named(Task task) {
    return new Submission(task, Optional.of(of(task).once.orElse("id:" + task.id())));
  }
}
