package io.belfry.store.redis;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The threads of one store, so that none is left behind.
 *
 * <p>Threading: safe.
 */
final class Crew {
  private final String name;
  private final Set<Thread> members = ConcurrentHashMap.newKeySet();

  Crew(String name) {
    this.name = name;
  }

  /**
   * A thread that is busy when the store is: one of the platform's own, because on a machine with few cores the virtual
   * threads of many callers would make it wait for its turn.
   */
  Thread startBusy(String role, Runnable work) {
    return start(Thread.ofPlatform().daemon(), role, work);
  }

  Thread start(String role, Runnable work) {
    return start(Thread.ofVirtual(), role, work);
  }

  private Thread start(Thread.Builder kind, String role, Runnable work) {
    Thread thread = kind.name(name + "-" + role).unstarted(work);
    members.add(thread);
    thread.start();
    return thread;
  }

  void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    members.remove(thread);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns once all have ended; at once when called by one of them, because it cannot wait for itself. */
  void joinAll() {
    if (!members.contains(Thread.currentThread())) {
      members.forEach(this::join);
    }
  }
}
