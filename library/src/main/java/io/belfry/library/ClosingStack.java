package io.belfry.library;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Resources opened so far during startup. If startup fails, they are closed in reverse order.
 *
 * <p>Threading: confined to its caller.
 */
final class ClosingStack {
  private final Deque<Runnable> closers = new ArrayDeque<>();

  <T> T push(T resource, Consumer<? super T> closer) {
    closers.push(() -> closer.accept(resource));
    return resource;
  }

  /** Closes everything; errors are added to the cause as suppressed. */
  void close(Throwable cause) {
    for (Runnable closer : closers) {
      try {
        closer.run();
      } catch (RuntimeException | Error e) {
        cause.addSuppressed(e);
      }
    }
  }
}
