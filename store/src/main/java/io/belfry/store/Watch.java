package io.belfry.store;

/** A watch that is open until it is closed, or until its {@link Watcher} was told its last word. */
public interface Watch extends AutoCloseable {
  /** In the place of a revision: from the moment of opening on. */
  long NOW = -1;

  /** Nothing is heard after this returns, but for a call that is under way on another thread. Safe twice. */
  @Override
  void close();
}
