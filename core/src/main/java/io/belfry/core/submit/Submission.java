package io.belfry.core.submit;

import io.belfry.model.task.Task;
import java.util.Optional;

/**
 * A task to be taken in.
 *
 * @param once what makes it the same submission when it comes again, remembered for the window of idempotency: the caller's key, or
 *     an id that the caller chose
 */
public record Submission(Task task, Optional<String> once) {}
