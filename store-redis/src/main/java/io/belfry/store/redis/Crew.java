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

  /** A thread of the platform's own: a virtual one would wait for its turn behind those of callers, who may compute without end. */
  Thread start(String role, Runnable work) {
    Thread thread = Thread.ofPlatform().daemon().name(name + "-" + role).unstarted(work);
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
