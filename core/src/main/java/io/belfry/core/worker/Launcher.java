package io.belfry.core.worker;

import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import java.util.function.Consumer;

/** Starts user code: the only part of a worker that runs outside its loop. */
public interface Launcher {

  /**
   * Starts the code of an attempt.
   *
   * @param task assigned, with its current attempt and token
   * @param ended called exactly once, from any thread, when the code has really ended
   */
  Started start(Task task, Consumer<Ending> ended);

  /** Code that has started. */
  interface Started {
    /** Asks the code to stop. It may ignore that; only {@code ended} tells that it has ended. Idempotent. */
    void interrupt();
  }

  /** How user code ended. */
  sealed interface Ending {
    record Returned(Result result) implements Ending {}

    record Failed(Failure failure) implements Ending {}
  }
}
