package io.belfry.store.embedded;

/** Waiting for our own threads. Threading: stateless. */
final class Threads {
  private Threads() {}

  /** Returns when the thread has ended, even when interrupted meanwhile; at once when it is the caller's own. */
  static void join(Thread thread) {
    if (thread.equals(Thread.currentThread())) {
      return;
    }
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
