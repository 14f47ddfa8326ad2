package io.belfry.server.verb;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Resources that are closed in reverse order, all of them, even if one fails to close.
 *
 * <p>Threading: confined to the thread that opens them; closed once.
 */
final class ClosingStack implements AutoCloseable {
  private final Deque<Runnable> closers = new ArrayDeque<>();

  void push(Runnable closer) {
    closers.push(closer);
  }

  @Override
  public void close() {
    RuntimeException first = null;
    while (!closers.isEmpty()) {
      try {
        closers.pop().run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
