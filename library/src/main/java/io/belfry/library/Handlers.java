package io.belfry.library;

import io.belfry.core.execute.AttemptException;
import io.belfry.core.execute.LocalExecutor;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.task.Result;
import org.jspecify.annotations.Nullable;

/** Adapts typed handlers to the local executor. Threading: stateless. */
final class Handlers {
  private Handlers() {}

  static <T> LocalExecutor.Handler of(Class<T> type, Handler.WithResult<T> handler) {
    Check.that(
        type != Void.class && type != void.class,
        "payload",
        type.getName(),
        "must be a type that has values",
        "Register a handler that takes no payload: handle(name, attempt -> ...).");
    return attempt -> result(handler.handle(Payloads.read(attempt.payload(), type), attempt));
  }

  private static Result result(@Nullable Object answer) throws AttemptException {
    if (answer instanceof Result ready) {
      return ready;
    }
    try {
      return answer == null ? Result.OK : new Result(0, "", Payloads.of(answer));
    } catch (InvalidException e) {
      throw AttemptException.rejected(
          "the handler succeeded, but its result cannot be stored: " + e.getMessage());
    }
  }
}
