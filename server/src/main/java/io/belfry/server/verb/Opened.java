package io.belfry.server.verb;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What was opened, to be closed in the opposite order: every part, also if another cannot be closed.
 *
 * <p>Threading: confined to who opens; closed once.
 */
final class Opened implements AutoCloseable {
  private final Deque<Runnable> closings = new ArrayDeque<>();

  void then(Runnable closing) {
    closings.push(closing);
  }

  @Override
  public void close() {
    RuntimeException first = null;
    while (!closings.isEmpty()) {
      try {
        closings.pop().run();
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
