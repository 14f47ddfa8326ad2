package io.belfry.library;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * What was opened on the way to a whole: closed again, the last one first, if the whole does not come about.
 *
 * <p>Threading: confined to its caller.
 */
final class Opened {
  private final Deque<Runnable> ends = new ArrayDeque<>();

  <T> T keep(T part, Consumer<? super T> end) {
    ends.push(() -> end.accept(part));
    return part;
  }

  /** What goes wrong now is said beside what went wrong before. */
  void close(Throwable because) {
    for (Runnable end : ends) {
      try {
        end.run();
      } catch (RuntimeException | Error e) {
        because.addSuppressed(e);
      }
    }
  }
}
