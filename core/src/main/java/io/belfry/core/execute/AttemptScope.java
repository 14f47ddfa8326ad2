package io.belfry.core.execute;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attempt that the current thread works for: for code that is far from the handler, such as a log appender. Threads that a handler
 * starts belong to its attempt, too, until the attempt ends. Threads that all attempts share are created so that they inherit nothing
 * ({@link Thread.Builder#inheritInheritableThreadLocals}).
 *
 * <p>Threading: safe; every thread has its own value.
 */
public final class AttemptScope {
  /** Shared by the threads of one attempt; emptied when it ends, so that none of them keeps its task in memory. */
  private static final class Holder {
    volatile @Nullable AttemptContext attempt;

    Holder(AttemptContext attempt) {
      this.attempt = attempt;
    }
  }

  private static final InheritableThreadLocal<@Nullable Holder> CURRENT =
      new InheritableThreadLocal<>();

  private AttemptScope() {}

  public static Optional<AttemptContext> current() {
    Holder holder = CURRENT.get();
    return holder == null ? Optional.empty() : Optional.ofNullable(holder.attempt);
  }

  static void enter(AttemptContext attempt) {
    CURRENT.set(new Holder(attempt));
  }

  static void leave() {
    Holder holder = CURRENT.get();
    if (holder != null) {
      holder.attempt = null;
    }
    CURRENT.remove();
  }
}
