package io.belfry.core.work;

import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import java.util.function.Consumer;

/** Starts user code. The only place where anything of a worker runs outside its loop. */
public interface Launcher {

  /**
   * Begins the code of an attempt.
   *
   * @param task assigned, with its current attempt and token
   * @param ended called exactly once, from any thread, when the code has really ended
   */
  Started start(Task task, Consumer<Ending> ended);

  /** Code that has begun. */
  interface Started {
    /** Asks the code to stop. It may ignore that; only {@code ended} tells that it is over. Safe twice. */
    void interrupt();
  }

  /** How user code ended. */
  sealed interface Ending {
    record Returned(Result result) implements Ending {}

    record Failed(Failure failure) implements Ending {}
  }
}
