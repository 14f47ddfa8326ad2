package io.belfry.core.commit;

import io.belfry.store.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Those who wait for an answer of one actor. When the actor ends, by a stop or because its loop did, each of them hears of it; nobody
 * waits for ever.
 *
 * <p>Threading: safe.
 */
public final class Callers {
  private final Map<CompletableFuture<?>, Boolean> waiting = new LinkedHashMap<>();
  private boolean ended;

  /** One more; told at once if it is too late. */
  public <T> CompletableFuture<T> enter() {
    var caller = new CompletableFuture<T>();
    synchronized (this) {
      if (!ended) {
        waiting.put(caller, false);
        var unused = caller.whenComplete((answer, failure) -> leave(caller));
        return caller;
      }
    }
    caller.completeExceptionally(new StoreException.Closed());
    return caller;
  }

  private synchronized void leave(CompletableFuture<?> caller) {
    waiting.remove(caller);
  }

  /** What this one asked for is on its way to the store, and may happen from now on. */
  public synchronized void sent(CompletableFuture<?> caller) {
    waiting.replace(caller, true);
  }

  /** Nobody will answer any more. Safe twice. */
  public void end() {
    Map<CompletableFuture<?>, Boolean> left;
    synchronized (this) {
      ended = true;
      left = new LinkedHashMap<>(waiting);
      waiting.clear();
    }
    for (CompletableFuture<?> caller : List.copyOf(left.keySet())) {
      caller.completeExceptionally(
          Boolean.TRUE.equals(left.get(caller))
              ? new StoreException.Unknown(
                  "The node stopped before the store had answered: what was asked may have happened. Read it again.",
                  new StoreException.Closed())
              : new StoreException.Closed());
    }
  }
}
