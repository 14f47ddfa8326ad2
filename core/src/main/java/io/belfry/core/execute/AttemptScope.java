package io.belfry.core.execute;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attempt that the present thread works for: for code that is far from the handler, such as a log appender. Threads that a handler
 * starts belong to its attempt, too.
 *
 * <p>Threading: safe; every thread sees its own.
 */
public final class AttemptScope {
  private static final InheritableThreadLocal<@Nullable AttemptContext> CURRENT =
      new InheritableThreadLocal<>();

  private AttemptScope() {}

  public static Optional<AttemptContext> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  static void enter(AttemptContext attempt) {
    CURRENT.set(attempt);
  }

  static void leave() {
    CURRENT.remove();
  }
}
